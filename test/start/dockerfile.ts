// Runs a Dockerfile without Docker: each step in a fresh folder that stands for the root of the image.
import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The command and the settings of a container. */
export interface Image {
  readonly command: readonly string[]
  readonly healthcheck: readonly string[]
  readonly user: string
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
}

interface Step {
  readonly name: string
  readonly text: string
}

const stepsOf = (file: string): Step[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ name: line.split(' ', 1)[0] as string, text: line.slice(line.indexOf(' ') + 1) }))

/** Builds an image of a project in a folder; its user `node` is `nobody` here. */
export function build(project: string, root: string, machine: NodeJS.ProcessEnv): Image {
  const image = { folder: root, user: 'root', command: [] as string[], healthcheck: [] as string[] }
  const env: NodeJS.ProcessEnv = {}
  const ignored = new Set(readFileSync(join(project, '.dockerignore'), 'utf8').split('\n'))
  const copied = readdirSync(project).filter((name) => !ignored.has(name) && !/\.db(-.*)?$/.test(name))
  const steps: Readonly<Record<string, (text: string) => void>> = {
    FROM: () => undefined,
    EXPOSE: () => undefined,
    VOLUME: () => undefined,
    ENV(text) {
      const [name = '', value = ''] = text.split(/=(.*)/s)
      env[name] = value.replace('file:/', `file:${root}/`)
    },
    WORKDIR(text) {
      image.folder = root + text
      mkdirSync(image.folder, { recursive: true })
    },
    COPY(text) {
      const names = text.split(' ')
      const to = join(image.folder, names.pop() as string)
      for (const name of names.flatMap((one) => (one === '.' ? copied : [one])))
        cpSync(join(project, name), join(to, name), { recursive: true })
    },
    RUN(text) {
      const line = text.replaceAll(' /data', ` ${root}/data`).replace('-o node -g node', '-o nobody -g nogroup')
      execFileSync('sh', ['-c', line], { cwd: image.folder, env: { ...machine, ...env }, stdio: 'pipe' })
    },
    USER: (text) => Object.assign(image, { user: text }),
    HEALTHCHECK: (text) => Object.assign(image, { healthcheck: JSON.parse(text.slice(text.indexOf('['))) }),
    CMD: (text) => Object.assign(image, { command: JSON.parse(text) }),
  }
  for (const { name, text } of stepsOf(join(project, 'Dockerfile'))) {
    const step = steps[name]
    if (step === undefined) throw new Error(`This test does not know how to run ${name} ${text}`)
    step(text)
  }
  chmodSync(root, 0o755)
  return { ...image, env }
}
