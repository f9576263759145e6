import { commands } from './commands.js'

/** What `sandglass --help` prints: one screen. */
export function helpText(version: string): string {
  const width = Math.max(...commands.map(({ usage }) => usage.length))
  const lines = commands.map(({ usage, summary }) => `  ${usage.padEnd(width)}  ${summary}`)
  return `sandglass ${version}: a request's time is one budget, handed down hop by hop, that only ever shrinks.

Usage: sandglass <command> [files…] [options]

${lines.join('\n')}

Without a file, ./sandglass.yaml is read; - is standard input; a folder stands for the sandglass.yaml files in it, or for its configs.

Examples:
  sandglass init
      writes a first sandglass.yaml from the compose file, nginx.conf, application.yml and package.json found here
  sandglass check services/*/sandglass.yaml --format text --format sarif=sandglass.sarif
      reads several files as one chain, prints what is wrong, and writes it for code scanning
  sandglass show --journey place-order --format svg > place-order.svg
      draws one journey with the effective bound of every call

Exit codes: 0 nothing at or above --fail-on; 1 findings; 2 input or arguments could not be used; 3 a fault of sandglass.
sandglass <command> --help tells more about one command.
`
}
