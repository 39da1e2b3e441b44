// Shared parts of both peers: the limits of the surface, its files and its stream.

export const BODY_LIMIT = 256 * 1024
export const FILE_LIMIT = 64 * 1024

export const files = new Map([
  ['a.txt', 'a file'],
  ['deep/b.txt', 'a deeper file'],
])

export async function* lines() {
  for (let i = 0; i < 100; i++) yield `${JSON.stringify({ line: i })}\n`
}
