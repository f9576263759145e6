import { Option } from 'commander'
import type { CommandModule } from '../commands.js'
import { tidyPath } from '../find-files.js'
import type { System } from '../system.js'
import { Unusable } from '../unusable.js'
import { writeOutput } from '../write-output.js'

type Platform = 'github' | 'gitlab'

interface InitCiOptions {
  readonly platform?: Platform
  readonly force?: boolean
}

/** `sandglass init-ci`. */
export const command: CommandModule = {
  describe(command) {
    command
      .description('Writes a step that checks the chain in CI: GitHub Actions or GitLab CI, by what is found here.')
      .addOption(new Option('--platform <name>', 'instead of what is found').choices(['github', 'gitlab']))
      .option('--force', 'replace the file if it is there')
      .addHelpText('after', '\nExamples:\n  sandglass init-ci\n  sandglass init-ci --platform gitlab\n')
  },
  run: async (_args, options, system) => initCi(options as InitCiOptions, system),
}

function initCi(options: InitCiOptions, system: System): number {
  const platform = options.platform ?? detected(system)
  const version = system.version().split('.')[0] ?? '0'
  const range = version === '0' ? system.version() : version
  const file = platform === 'github' ? '.github/workflows/sandglass.yml' : '.gitlab/sandglass.gitlab-ci.yml'
  if (system.folders.look(tidyPath(file)) !== null && options.force !== true)
    throw new Unusable([`${file}: is there already; --force replaces it`])
  writeOutput(platform === 'github' ? githubStep(range) : gitlabStep(range), file, system)
  system.stderr.write(
    `wrote ${file}${platform === 'gitlab' ? '; add to .gitlab-ci.yml:\n  include:\n    - local: .gitlab/sandglass.gitlab-ci.yml' : ''}\n`,
  )
  return 0
}

function detected(system: System): Platform {
  const has = (path: string) => system.folders.look(path) !== null
  if (has('.github')) return 'github'
  if (has('.gitlab-ci.yml') || has('.gitlab')) return 'gitlab'
  throw new Unusable([
    'sandglass init-ci: neither .github nor .gitlab-ci.yml is here; say which with --platform github or --platform gitlab',
  ])
}

/** Findings become annotations of the changed lines and entries in code scanning. */
function githubStep(range: string): string {
  return `name: sandglass
on:
  push:
    branches: [main]
  pull_request:
permissions:
  contents: read
  security-events: write
jobs:
  check:
    runs-on: ubuntu-latest
    timeout-minutes: 5
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 22
      - name: Check the chain
        run: npx --yes sandglass@${range} check --format text --format sarif=sandglass.sarif
      - uses: github/codeql-action/upload-sarif@v3
        if: always() && hashFiles('sandglass.sarif') != ''
        with:
          sarif_file: sandglass.sarif
`
}

function gitlabStep(range: string): string {
  return `sandglass:
  stage: test
  image: node:22-slim
  timeout: 5 minutes
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH
  script:
    - npx --yes sandglass@${range} check --format text --format html=sandglass.html --format json=sandglass.json
  artifacts:
    when: always
    paths:
      - sandglass.html
      - sandglass.json
`
}
