// Draws docs/images/terminal.svg: starts the example API on port 3000, runs the commands below in a shell, and renders their
// output. Needs curl and jq. Run it again when the example changes.
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'

const url = 'localhost:3000/api'
const commands = [
  `curl -gs '${url}/v1.0/blogs?filters=tags=stars&order=-title&fields=title,tags,owner{name}' | jq -c '.[]'`,
  `curl -s '${url}/v1.0/blogs?filters=kind=secret&colour=red' | jq -c '.status, .errors[]'`,
  `npx tsx src/cli/main.ts routes --app examples/blog/app.ts | head -12`,
]
const columns = 122
const [width, height, top, left] = [8, 19, 44, 22]

const server = spawn(process.execPath, ['--import', 'tsx', 'examples/blog/server.ts'], {
  env: { ...process.env, PORT: '3000', NODE_ENV: 'production' },
  stdio: ['ignore', 'pipe', 'inherit'],
})
server.on('exit', (code) => {
  if (code !== null && code !== 0) process.exit(code)
})
// The example prints its address as soon as it listens.
await new Promise((resolve) => server.stdout.once('data', resolve))

const lines: { readonly text: string; readonly typed: boolean }[] = []
for (const command of commands) {
  const { stdout, status } = spawnSync('bash', ['-o', 'pipefail', '-c', command], { encoding: 'utf8' })
  // `head` closes the pipe early, which the preceding command may treat as an error.
  if (status !== 0 && !command.includes('| head')) throw new Error(`${command} ended with ${status}`)
  if (lines.length > 0) lines.push({ text: '', typed: false })
  lines.push(...wrapLine(`$ ${command}`).map((text) => ({ text, typed: true })))
  lines.push(
    ...stdout
      .trimEnd()
      .split('\n')
      .flatMap(wrapLine)
      .map((text) => ({ text, typed: false })),
  )
}
server.kill()

mkdirSync('docs/images', { recursive: true })
writeFileSync('docs/images/terminal.svg', renderPicture())
console.log(`picture: ${lines.length} lines in docs/images/terminal.svg`)

function wrapLine(line: string): string[] {
  const pieces = line.match(new RegExp(`.{1,${columns}}`, 'gu'))
  return pieces === null ? [''] : [...pieces]
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function renderPicture(): string {
  const [wide, high] = [columns * width + left * 2, lines.length * height + top + left]
  const rows = lines.map(({ text, typed }, i) => {
    const position = `x="${left}" y="${top + (i + 1) * height - 5}"`
    return text === ''
      ? ''
      : `  <text ${position}${typed ? ' class="typed"' : ''} xml:space="preserve">${escapeXml(text)}</text>\n`
  })
  const buttons = ['#ff5f57', '#febc2e', '#28c840'].map(
    (colour, i) => `  <circle cx="${left + 6 + i * 20}" cy="22" r="6" fill="${colour}"/>\n`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${wide} ${high}" role="img" aria-label="A terminal: a list, a refused request and the routing table of the example API">
  <style>text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; fill: #d6deeb } .typed { fill: #7fdbca }</style>
  <rect width="${wide}" height="${high}" rx="10" fill="#0b1622"/>
${buttons.join('')}${rows.join('')}</svg>
`
}
