// An issuer of JWTs: discovery, keys that can be changed, and tokens of every kind.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose'

type PrivateKey = Awaited<ReturnType<typeof generateKeyPair>>['privateKey']

/** A pair of keys with a name. */
export interface Keys {
  readonly kid: string
  readonly secret: PrivateKey
  readonly open: JWK
}

/** Makes a pair of keys. */
export async function makeKeys(kid: string, alg = 'ES256'): Promise<Keys> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  return { kid, secret: privateKey, open: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } }
}

/** Seconds since 1970, some seconds from now. */
export const inSeconds = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds

/** Signs claims; those of an ordinary token are there unless changed. */
export function signed(keys: Keys, claims: JWTPayload, header: object = {}): Promise<string> {
  const all = Object.fromEntries(
    Object.entries({ exp: inSeconds(60), ...claims }).filter(([, value]) => value !== undefined),
  )
  return new SignJWT(all).setProtectedHeader({ alg: 'ES256', kid: keys.kid, ...header }).sign(keys.secret)
}

/** An issuer on a port of its own. */
export class Issuer {
  /** The keys that it publishes. */
  keys: readonly Keys[]
  /** How it answers: as it should, with errors, or not at all. */
  mood: 'well' | 'broken' | 'silent' = 'well'
  /** How often it was asked for its keys. */
  asked = 0
  /** The issuer that its discovery document names; its own URL unless changed. */
  names: string | undefined
  readonly #server: Server

  private constructor(keys: readonly Keys[]) {
    this.keys = keys
    this.#server = createServer((request, response) => {
      if (this.mood === 'silent') return
      if (this.mood === 'broken') return void response.writeHead(500).end()
      response.setHeader('content-type', 'application/json')
      if (request.url !== '/keys')
        return void response.end(JSON.stringify({ issuer: this.names ?? this.url, jwks_uri: `${this.url}/keys` }))
      this.asked += 1
      response.end(JSON.stringify({ keys: this.keys.map(({ open }) => open) }))
    })
  }

  static async start(...keys: readonly Keys[]): Promise<Issuer> {
    const issuer = new Issuer(keys)
    await new Promise<void>((resolve) => issuer.#server.listen(0, '127.0.0.1', resolve))
    return issuer
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }
}
