import type { CheckReport } from '../report/check-report.js'
import { conciseReport } from '../report/concise.js'
import { githubReport } from '../report/github.js'
import { plainStyle } from '../report/palette.js'
import { textReport } from '../report/text.js'
import type { System } from './system.js'
import { textStyleFor } from './text-style.js'

/** The formats of `sandglass check`. */
export const checkFormats = ['text', 'concise', 'json', 'sarif', 'github', 'markdown', 'html'] as const

/** One of {@link checkFormats}. */
export type CheckFormat = (typeof checkFormats)[number]

/** A report in a format; those that are not needed are not loaded. */
export async function renderCheck(format: CheckFormat, report: CheckReport, isStdout: boolean, system: System): Promise<string> {
  switch (format) {
    case 'text':
      return textReport(report, isStdout ? textStyleFor(system.stdout, system.env) : plainStyle)
    case 'concise':
      return conciseReport(report)
    case 'github':
      return githubReport(report)
    case 'json':
      return (await import('../report/json.js')).jsonReport(report)
    case 'sarif':
      return sarif(report, system)
    case 'markdown':
      return (await import('../report/markdown.js')).markdownReport(report)
    case 'html':
      return (await import('../report/html.js')).htmlReport(report)
  }
}

async function sarif(report: CheckReport, system: System): Promise<string> {
  const [{ sarifReport }, { allRules }, { allScanRules }, { rulePages }] = await Promise.all([
    import('../report/sarif.js'),
    import('../rules/all-rules.js'),
    import('../scan/all-scan-rules.js'),
    import('./rule-pages.generated.js'),
  ])
  const help = [...allRules, ...allScanRules].map(({ id, summary, severity }) => ({
    id,
    severity,
    title: summary,
    page: rulePages[id]?.text ?? '',
  }))
  return sarifReport(report, system.version(), help)
}
