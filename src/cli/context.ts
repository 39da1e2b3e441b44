// The context of every command: the process it runs in and the folder it was started from.
import type { CommandContext, StricliProcess } from '@stricli/core'

/** The context of a command. */
export interface CliContext extends CommandContext {
  readonly process: Terminal
  /** The folder that relative paths start from. */
  readonly cwd: string
}

/** The process of a command. Commands throw instead of setting an exit code, unless the code is their result. */
export interface Terminal extends StricliProcess {
  readonly stdin: NodeJS.ReadStream
  readonly stdout: NodeJS.WriteStream
  readonly stderr: NodeJS.WriteStream
}
