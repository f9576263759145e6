import { findFiles } from './find-files.js'
import type { Folders } from './folders.js'
import { isFoundFile } from './look-at.js'
import { isBuilt } from './source-files.js'

/** Files beside the sources that may say which of them is loaded: manifests, configurations, scripts, pages. */
const TELLS =
  /\.(json5?|jsonc|ya?ml|toml|sh|html?|ejs|hbs|pug|svelte|astro|mdx|conf|ini|service|tf|gradle|xml|ps1|bat|cmd)$|(^|\/)(Dockerfile|Procfile|Makefile|Caddyfile|[\w-]*[Dd]ockerfile|Jenkinsfile)[\w.-]*$|(^|\/)\.?[\w-]+$/
/** Hidden folders and files of what runs or deploys them. */
const HIDDEN =
  /^\.(github|gitlab|circleci|buildkite|ebextensions|platform|do|husky|ci|deploy|kube|docker|aws|config|storybook)\/$|^\.[\w-]*rc$|^\.[\w-]+\.(ya?ml|json)$/
/** Lists of packages, texts in other languages, and what else says nothing of files. */
const TELLS_NOTHING =
  /(^|\/)(package-lock|pnpm-lock|npm-shrinkwrap|composer\.lock)[\w.-]*$|(^|\/)(locales?|i18n|lang(uages)?|translations|fixtures|snapshots?)\//
const MAX_BYTES = 200_000
const MAX_FILES = 5000
const MAX_BYTES_OF_ALL = 64_000_000

/** Tells whether a file is named in one beside the sources; those are read when it is first asked. Of more than can be read nobody can tell: then it may be. */
export function namedOutside(folders: Folders): (file: string) => boolean {
  let texts: readonly string[] | 'too many' | null = null
  return (file) => {
    texts ??= textsBeside(folders)
    if (texts === 'too many') return true
    const parts = file.split('/')
    const stem = escaped((parts.at(-1) ?? '').replace(/\.\w+$/, ''))
    const folder = escaped(parts.at(-2) ?? '')
    const named = new RegExp(`(^|[\\s'"=/(:,\`])${stem}\\.[cm]?[jt]sx?\\b${folder === '' ? '' : `|\\b${folder}/${stem}(?![\\w/-])`}`)
    return texts.some((text) => named.test(text))
  }
}

function textsBeside(folders: Folders): readonly string[] | 'too many' {
  const hidden = namesAt('.', folders).filter((name) => HIDDEN.test(name))
  const found = ['**/*', ...hidden.filter((name) => name.endsWith('/')).map((name) => `${name}**/*`)].flatMap(
    (pattern) => findFiles(pattern, folders).files,
  )
  const files = [...found, ...hidden].filter((file) => TELLS.test(file) && !TELLS_NOTHING.test(file) && !isBuilt(file))
  if (files.length > MAX_FILES) return 'too many'
  const texts: string[] = []
  let length = 0
  for (const file of files) {
    const text = textAt(file, folders)
    if (text === null) continue
    texts.push(text)
    length += text.length
    if (length > MAX_BYTES_OF_ALL) return 'too many'
  }
  return texts
}

function namesAt(folder: string, folders: Folders): readonly string[] {
  try {
    return folders.list(folder)
  } catch {
    return []
  }
}

function textAt(file: string, folders: Folders): string | null {
  try {
    const entry = folders.look(file)
    if (entry?.kind !== 'file' || entry.size > MAX_BYTES || !isFoundFile(file, folders)) return null
    return new TextDecoder().decode(folders.read(file, MAX_BYTES))
  } catch {
    return null
  }
}

function escaped(text: string): string {
  return text.replace(/\W/g, '\\$&')
}
