// Webhooks of a service that signs its requests: a time and a signature of that time and the exact bytes of the body.
import { type Plugin, security, verifier } from 'edict'

/** The service that has sent a webhook. */
export interface Sender {
  readonly sentAt: number
}

/** The scheme that actions name: `security: webhook`. */
export const webhook = security.apiKey<Sender>('Webhook', {
  in: 'header',
  name: 'Shop-Signature',
  description: '`t=<seconds>,v1=<hex>`: HMAC-SHA256 of the seconds, a dot and the body. Several `v1` are allowed.',
})

/** Settings of the plugin. */
export interface WebhookOptions {
  /** The secrets that are valid now; two while one is being replaced. */
  readonly secrets: readonly string[]
  /** The most seconds between the signature and its arrival. */
  readonly tolerance?: number
  readonly clock?: () => number
}

const ALGORITHM = { name: 'HMAC', hash: 'SHA-256' }
const encoder = new TextEncoder()

const importSecret = (secret: string): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', encoder.encode(secret), ALGORITHM, false, ['sign', 'verify'])

function addTime(seconds: number, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const time = encoder.encode(`${seconds}.`)
  const message = new Uint8Array(time.length + body.length)
  message.set(time)
  message.set(body, time.length)
  return message
}

/** Signs a body like the service does. */
export async function signWebhook(secret: string, seconds: number, body: Uint8Array): Promise<string> {
  const signed = await crypto.subtle.sign('HMAC', await importSecret(secret), addTime(seconds, body))
  return [...new Uint8Array(signed)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

const readParts = (sent: string, name: string): string[] =>
  sent.split(',').flatMap((part) => (part.startsWith(`${name}=`) ? [part.slice(name.length + 1)] : []))

const fromHex = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(/^(?:[0-9a-f]{2})+$/.test(text) ? (text.match(/../g) ?? []) : [], (pair) => Number.parseInt(pair, 16))

/** Verifies the signatures of webhooks. */
export function webhooks({ secrets, tolerance = 300, clock = Date.now }: WebhookOptions): Plugin {
  const keys = Promise.all(secrets.map(importSecret))
  const check = verifier(webhook, async (sent, { body }) => {
    const [seconds = '', ...others] = readParts(sent, 't')
    const given = readParts(sent, 'v1')
    if (others.length > 0 || given.length > 3 || !/^\d{1,12}$/.test(seconds)) return undefined
    // Old requests are refused before their body is read.
    if (Math.abs(clock() / 1000 - Number(seconds)) > tolerance) return undefined
    const message = addTime(Number(seconds), await body())
    for (const key of await keys)
      for (const signature of given)
        if (await crypto.subtle.verify('HMAC', key, fromHex(signature), message)) return { sentAt: Number(seconds) }
    return undefined
  })
  return {
    name: 'webhooks',
    apply: (options) => ({ ...options, verifiers: [...(options.verifiers ?? []), check] }),
  }
}
