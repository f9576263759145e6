import { Option } from 'commander'
import type { Chain, Journey } from '../../model/chain.js'
import { didYouMean } from '../../model/nearest.js'
import { type View, viewOf } from '../../model/view.js'
import { drawingOf } from '../../report/chain-report.js'
import type { CommandModule } from '../commands.js'
import { collect, type FormatChoice, readFormats } from '../formats.js'
import { type LoadedChain, loadChain } from '../load-chain.js'
import { noteLines } from '../note-lines.js'
import { startProgress } from '../progress.js'
import type { System } from '../system.js'
import { textStyleFor } from '../text-style.js'
import { Unusable } from '../unusable.js'
import { writeReport } from '../write-report.js'

const showFormats = ['table', 'json', 'mermaid', 'dot', 'svg'] as const

interface ShowOptions {
  readonly format?: readonly string[]
  readonly journey?: readonly string[]
}

/** `sandglass show [files…]`. */
export const command: CommandModule = {
  describe(command) {
    command
      .description(
        'Shows the effective chain: one line a hop with its bound, what the bound limits, and where it comes from; or a picture.',
      )
      .argument('[files...]', 'chain files that are read as one; - is standard input (default: sandglass.yaml)')
      .addOption(new Option('--format <name[=file]>', `${showFormats.join(', ')}; repeatable (default: table)`).argParser(collect))
      .option('--journey <name>', 'only this journey; repeatable', collect)
      .addHelpText(
        'after',
        '\nExamples:\n  sandglass show\n  sandglass show --journey place-order --format mermaid\n  sandglass show --format svg=chain.svg --format json=chain.json\n',
      )
  },
  run: (args, options, system) => show(args, options as ShowOptions, system),
}

async function show(args: readonly string[], options: ShowOptions, system: System): Promise<number> {
  const chosen = readFormats('show', options.format ?? [], showFormats)
  const formats: readonly FormatChoice<(typeof showFormats)[number]>[] = chosen.length > 0 ? chosen : [{ name: 'table', file: null }]
  const progress = startProgress(system.stderr)
  const loaded = await loadChain(args, system, progress)
  const journeys = journeysOf(loaded.chain, options.journey ?? [])
  progress.say('adding up the limits')
  const view = viewOf(loaded.chain, journeys)
  for (const { name, file } of formats) writeReport(await render(name, view, loaded, file === null, system), file, system)
  progress.done()
  for (const line of noteLines(loaded.notes)) system.stderr.write(`${line}\n`)
  return 0
}

function journeysOf(chain: Chain, names: readonly string[]): readonly Journey[] {
  if (names.length === 0) return chain.journeys
  const known = chain.journeys.map(({ name }) => name)
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length === 0) return chain.journeys.filter(({ name }) => names.includes(name))
  const list =
    known.length === 0
      ? 'there is none'
      : `there are ${known.slice(0, 20).join(', ')}${known.length > 20 ? ` and ${known.length - 20} more` : ''}`
  throw new Unusable(unknown.map((name) => `sandglass show: there is no journey "${name}"${didYouMean(name, known)}; ${list}`))
}

async function render(
  format: (typeof showFormats)[number],
  view: View,
  loaded: LoadedChain,
  isStdout: boolean,
  system: System,
): Promise<string> {
  switch (format) {
    case 'table': {
      const { showTable } = await import('../../report/show-table.js')
      return isStdout ? showTable(view, textStyleFor(system.stdout, system.env)) : showTable(view)
    }
    case 'json':
      return (await import('../../report/show-json.js')).showJson(view, loaded.notes)
    case 'mermaid':
      return (await import('../../report/mermaid.js')).mermaidDrawing(drawingOf(view))
    case 'dot':
      return (await import('../../report/dot.js')).dotDrawing(drawingOf(view))
    case 'svg':
      return (await import('../../report/svg.js')).svgDrawing(drawingOf(view))
  }
}
