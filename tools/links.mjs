import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { filesBelow } from './workspace.mjs'

/** Whose pages are read: all that is written by hand. */
const places = ['docs', 'spec', 'examples', 'packages', 'apps']
const topPages = ['README.md', 'README.zh-CN.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'GLOSSARY.md']

/**
 * Links of Markdown pages to files of the repository, or to headings in them, that lead nowhere; one line each.
 * @param {string} root
 * @returns {string[]}
 */
export function linkProblems(root) {
  const below = places.flatMap((place) => filesBelow(`${root}/${place}`).map((file) => `${place}/${file}`))
  const pages = [...topPages, ...below.filter((file) => file.endsWith('.md') && !/\/(golden|dist)\//.test(file))]
  return pages.filter((page) => existsSync(join(root, page))).flatMap((page) => pageProblems(root, page))
}

function pageProblems(/** @type {string} */ root, /** @type {string} */ page) {
  const text = withoutCode(readFileSync(join(root, page), 'utf8'))
  const targets = [...text.matchAll(/\]\(([^)\s]+)(?:\s+"[^"]*")?\)/g)].map(([, target]) => target ?? '')
  return targets
    .filter((target) => !/^[a-z]+:/i.test(target))
    .flatMap((target) => {
      const [path = '', heading] = target.split('#')
      const file = path === '' ? page : join(dirname(page), decodeURIComponent(path))
      if (!existsSync(join(root, file))) return [`${page}: there is no ${target}`]
      if (heading === undefined || !file.endsWith('.md')) return []
      return headings(readFileSync(join(root, file), 'utf8')).has(heading.toLowerCase())
        ? []
        : [`${page}: ${file} has no heading #${heading}`]
    })
}

const withoutCode = (/** @type {string} */ text) => text.replace(/^(```|~~~)[\s\S]*?^\1/gm, '').replace(/`[^`\n]*`/g, '')

/** The anchors GitHub makes of headings. */
function headings(/** @type {string} */ text) {
  const seen = new Map()
  const titles = [...text.replace(/^(```|~~~)[\s\S]*?^\1/gm, '').matchAll(/^#{1,6}\s+(.+?)\s*#*$/gm)].map(([, title]) => title ?? '')
  return new Set(
    titles.map((title) => {
      const slug = title
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\p{M} _-]/gu, '')
        .replaceAll(' ', '-')
      const before = seen.get(slug) ?? 0
      seen.set(slug, before + 1)
      return before === 0 ? slug : `${slug}-${before}`
    }),
  )
}
