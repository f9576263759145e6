import { expect, test } from 'vitest'
import { placeOf } from '../../model/sourced.js'
import { scanTexts } from '../scan.fixture.js'

const places = (files: Readonly<Record<string, string>>) =>
  scanTexts({ files })
    .calls.map(({ spot }) => placeOf(spot))
    .map(({ file, line }) => `${file}:${line}`)
    .toSorted()

test('a component that waits runs on the server, with what it uses; the others of its module do not', () => {
  const files = {
    'page.tsx': `import { load } from './load'
import { save } from './save'
const list = () => fetch('http://a/list')
const other = () => fetch('http://a/other')
export default async function Page() { await list(); return <Form rows={await load()} /> }
export function Form() { return <button onClick={() => { other(); save() }} /> }`,
    'load.ts': `export const load = () => fetch('http://a/load')`,
    'save.ts': `export const save = () => fetch('http://a/save')`,
  }
  expect(places(files)).toEqual(['load.ts:1', 'page.tsx:3'])
})

test('what a framework loads a page with runs on the server', () => {
  const files = {
    'next.tsx': `import { useState } from 'react'
export const getServerSideProps = async () => ({ props: await fetch('http://a') })
export default function Page() { const [a] = useState(0); fetch('http://b'); return <p>{a}</p> }`,
    'route.tsx': `import type { Route } from './+types/route'
export async function loader() { return fetch('http://a') }
export async function clientLoader() { return fetch('http://b') }`,
    'spa.tsx': `export async function loader() { return fetch('http://a') }
export const App = () => <p />`,
    'client.tsx': `'use client'
export async function Page() { await fetch('http://a'); return <p /> }`,
  }
  expect(places(files)).toEqual(['next.tsx:2', 'route.tsx:2'])
})

test('an action inside of a component runs on the server, a handler that waits does not', () => {
  const files = {
    'page.tsx': `export function Page() {
  async function save() {
    'use server'
    await fetch('http://a')
  }
  const Show = async () => { await fetch('http://b') }
  return <form action={save} onClick={Show} />
}`,
  }
  expect(places(files)).toEqual(['page.tsx:4'])
})

test('a timer of a race is told of a server only', () => {
  const files = {
    'page.tsx': `const late = () => new Promise((f) => setTimeout(f, 500))
export default async function Page() { await Promise.race([load(), new Promise((f) => setTimeout(f, 500))]); return <p /> }
export const Form = () => <a onClick={() => Promise.race([load(), new Promise((f) => setTimeout(f, 500))])} />`,
  }
  const found = scanTexts({ files }).diagnostics
  expect(found.map(({ rule, spot }) => `${rule} ${placeOf(spot).line}`)).toEqual(['timer-left 2'])
})

test('a page that brings packages of a server along is a browser’s but for what loads it', () => {
  const files = {
    'route.tsx': `import { json } from '@remix-run/node'
import { readFile } from 'node:fs/promises'
export const loader = async () => json(await fetch('http://a'))
export default function Page() { return <a onClick={() => fetch(where)} /> }`,
    'list.tsx': `import { json } from '@remix-run/node'
export const List = () => <a onClick={() => fetch(where)} />`,
  }
  expect(places(files)).toEqual(['route.tsx:3'])
})

test('a route that gives a picture runs on the server, and one at the edge has a fetch of its own', () => {
  const text = `export function GET() { const text = fetch('http://a'); return new ImageResponse(<p>{text}</p>) }`
  const edge = `export const runtime = 'edge'\n${text}`
  const files = { 'og/route.tsx': text, 'edge/route.tsx': edge, 'left-over.ts': `export const runtime = 'edge'\nawait fetch('http://a')` }
  expect(places(files)).toEqual(['left-over.ts:2', 'og/route.tsx:1'])
})
