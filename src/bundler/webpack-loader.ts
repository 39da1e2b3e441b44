// The loader of webpack and Rspack: a file of its own, because these load loaders by their paths.
import type { LoaderContext } from './plugins.ts'

/** Loads a module. */
export default function loadTable(this: LoaderContext, compiled: string, map: unknown): void {
  void this.getOptions().load(this, compiled, map)
}
