import { didYouMean } from '../../model/nearest.js'
import type { CommandModule } from '../commands.js'
import { renderPage } from '../render-page.js'
import { rulePages } from '../rule-pages.generated.js'
import type { System } from '../system.js'
import { textStyleFor } from '../text-style.js'
import { Unusable } from '../unusable.js'

/** `sandglass explain <rule>`. */
export const command: CommandModule = {
  describe(command) {
    command
      .description("Prints a rule's page: what it reports, why it matters, what to change.")
      .argument('[rule]', 'the id of a rule; without one, all rules are listed')
      .addHelpText('after', '\nExample:\n  sandglass explain inverted\n')
  },
  run: async (args, _options, system) => {
    const id = args[0]
    system.stdout.write(id === undefined ? listOf() : pageOf(id, system))
    return 0
  },
}

function listOf(): string {
  const width = Math.max(...Object.keys(rulePages).map((id) => id.length))
  return Object.entries(rulePages)
    .map(([id, page]) => `${id.padEnd(width)}  ${page.title}\n`)
    .join('')
}

function pageOf(id: string, system: System): string {
  const page = Object.hasOwn(rulePages, id) ? rulePages[id] : undefined
  if (!page)
    throw new Unusable([
      `sandglass explain: there is no rule "${id}"${didYouMean(id, Object.keys(rulePages))}; "sandglass explain" lists all`,
    ])
  const { palette, width } = textStyleFor(system.stdout, system.env)
  return renderPage(page.text, palette, width)
}
