import type { Command } from 'commander'
import type { System } from './system.js'

/** What a command's file exports as `command`. */
export interface CommandModule {
  /** Arguments, options and examples; the action is set by {@link CommandModule.run}. */
  readonly describe: (command: Command) => void
  /** Does the work and gives the exit code; throws `Unusable` for what the user can mend. */
  readonly run: (args: readonly string[], options: Readonly<Record<string, unknown>>, system: System) => Promise<number>
}

interface CommandEntry {
  readonly name: string
  /** As `--help` shows it. */
  readonly usage: string
  readonly summary: string
  readonly load: () => Promise<CommandModule>
}

/** Every command there is: a new one is a file in `commands/` and a line here. */
export const commands: readonly CommandEntry[] = [
  {
    name: 'init',
    usage: 'init',
    summary: 'write a first sandglass.yaml from what is found here',
    load: async () => (await import('./commands/init.js')).command,
  },
  {
    name: 'check',
    usage: 'check [files…]',
    summary: 'what is wrong with the chain',
    load: async () => (await import('./commands/check.js')).command,
  },
  {
    name: 'show',
    usage: 'show [files…]',
    summary: 'the effective chain, hop by hop, or as a picture',
    load: async () => (await import('./commands/show.js')).command,
  },
  { name: 'explain', usage: 'explain <rule>', summary: "a rule's page", load: async () => (await import('./commands/explain.js')).command },
  {
    name: 'plan',
    usage: 'plan [files…]',
    summary: 'limits derived backwards from the promise',
    load: async () => (await import('./commands/plan.js')).command,
  },
  {
    name: 'simulate',
    usage: 'simulate [files…]',
    summary: 'what happens under load and faults',
    load: async () => (await import('./commands/simulate.js')).command,
  },
  {
    name: 'import',
    usage: 'import <files…>',
    summary: 'configs to a chain file, with a note for what is not known',
    load: async () => (await import('./commands/import.js')).command,
  },
  {
    name: 'scan',
    usage: 'scan [paths…]',
    summary: 'calls in source code that have no bound, or not the one they seem to have',
    load: async () => (await import('./commands/scan.js')).command,
  },
  {
    name: 'diff',
    usage: 'diff <old> <new>',
    summary: 'calls that may take longer after an update of libraries',
    load: async () => (await import('./commands/diff.js')).command,
  },
  {
    name: 'compile',
    usage: 'compile [files…]',
    summary: "one service's part, for the runtime to read",
    load: async () => (await import('./commands/compile.js')).command,
  },
  {
    name: 'init-ci',
    usage: 'init-ci',
    summary: 'a CI step for the platform at hand',
    load: async () => (await import('./commands/init-ci.js')).command,
  },
]
