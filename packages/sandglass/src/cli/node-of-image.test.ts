import { expect, test } from 'vitest'
import { nodeOfImage } from './node-of-image.js'

test.each([
  ['FROM node:18.16.0-alpine\nCMD ["node", "a.js"]', '18.16.0'],
  ['FROM --platform=linux/amd64 docker.io/library/node:20 AS base\r\nRUN npm ci\r\n', '20'],
  [`ARG NODE_VERSION=22.11\nFROM node:\${NODE_VERSION}-slim`, '22.11'],
  [`FROM node:\${NODE_VERSION:-20}`, '20'],
  ['FROM node:lts-iron', 'lts/iron'],
  ['FROM node:18 AS build\nRUN npm run build\nFROM node:20-alpine\nCOPY --from=build /a /a', '20'],
  ['FROM node:18 AS base\nFROM base AS run\n', '18'],
  ['FROM node:18 AS build\nFROM nginx:1.27\nCOPY --from=build /a /a', null],
  ['FROM node:lts', null],
  ['FROM node', null],
  ['FROM node:$VERSION', null],
  ['FROM mynode:18', null],
  ['# FROM node:18', null],
  ['', null],
  [`ARG A=${'x'.repeat(20_000)}\nFROM ${'$A'.repeat(100_000)}`, null],
])('%j starts from Node %s', (text, version) => {
  expect(nodeOfImage(text)).toBe(version)
})
