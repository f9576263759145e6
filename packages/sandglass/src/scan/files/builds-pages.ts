import type { Module } from '../syntax/module.js'
import type { TopFunction } from './top-function.js'

/** Files in which Next.js looks for what it calls to build pages. */
const OF_NEXT = /(^|\/)(pages|app)\/.*\.[cm]?[jt]sx?$/
/** What is asked again while pages are served. */
const AGAIN = /\brevalidate\b|\bfallback:\s*(true|['"]blocking['"])/

/** True for what Next.js calls to build pages, and never while it serves them. */
export function buildsPages({ name }: TopFunction, { source: { file, text }, exports }: Module): boolean {
  if (!OF_NEXT.test(file) || !exports.has(name)) return false
  return name === 'getStaticPaths' || name === 'generateStaticParams' || (name === 'getStaticProps' && !AGAIN.test(text))
}
