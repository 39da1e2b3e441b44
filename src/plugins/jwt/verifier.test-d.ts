// The options of `jwt`: an issuer or a secret, never both.
import { security } from '../../index.ts'
import { jwt } from './verifier.ts'

const Token = security.bearer<{ readonly id: string }>('Token')
const principal = () => ({ id: 'ada' })
const [issuer, audience, secret] = ['https://accounts.example', 'https://api.example', 'x'.repeat(32)]

jwt(Token, { issuer, audience, principal })
jwt(Token, { secret, principal })
jwt(Token, { secret: [secret, new Uint8Array(32)], audience, algorithms: ['HS512'], principal })

// @ts-expect-error an issuer and a secret
jwt(Token, { issuer, audience, secret, principal })
// @ts-expect-error neither of them
jwt(Token, { principal })
// @ts-expect-error an issuer without an audience
jwt(Token, { issuer, principal })
// @ts-expect-error a variable that may be missing
jwt(Token, { secret: process.env['JWT_SECRET'], principal })
// @ts-expect-error an algorithm of keys
jwt(Token, { secret, algorithms: ['RS256'], principal })
// @ts-expect-error keys of an issuer
jwt(Token, { secret, jwks: `${issuer}/keys`, principal })
// @ts-expect-error another principal
jwt(Token, { secret, principal: () => ({ id: 7 }) })
