import { createConfig, lintFromString } from '@redocly/openapi-core'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { sandboxAt } from './support.ts'

const config = await createConfig({
  extends: ['recommended-strict'],
  rules: { 'operation-description': 'error', 'parameter-description': 'error' },
})

/** Each problem as the rule and the place. Nothing is read but the text: no reference in it leads anywhere else. */
async function lint(source: string): Promise<string[]> {
  const problems = await lintFromString({ source, absoluteRef: 'openapi.json', config })
  return problems.map(({ ruleId, message, location }) => `${ruleId} at ${location[0]?.pointer}: ${message}`)
}

const response = await sandboxAt().app.request('http://127.0.0.1:4010/openapi.json')
const source = await response.text()

it('has nothing that the recommended rules object to', async () => {
  expect(await lint(source)).toEqual([])
})

it('refers to nothing outside of itself', () => {
  const references = [...source.matchAll(/"\$ref":"([^"]*)"/g)].map(([, reference]) => reference)
  expect(references.length).toBeGreaterThan(10)
  expect(references.filter((reference) => !reference?.startsWith('#/'))).toEqual([])
})

const anything = z.record(z.string(), z.unknown())

it.each([
  ['no server', { servers: [] }, /^no-empty-servers /],
  ['no security', { security: undefined }, /^security-defined at #\/paths\/~1outgoing\/post/],
  ['no licence', { info: { title: 'Sandbox', version: 'v1' } }, /^info-license /],
])('would be objected to with %s', async (_, change, expected) => {
  const changed = { ...anything.parse(JSON.parse(source)), ...change }
  expect(await lint(JSON.stringify(changed))).toContainEqual(expect.stringMatching(expected))
})

it('would be objected to with an example that its schema refuses', async () => {
  const changed = source.replace('"Duration":"00:02:31"', '"Duration":"2:31"')
  expect(changed).not.toBe(source)
  expect(await lint(changed)).toEqual([
    expect.stringMatching(/^no-invalid-media-type-examples at #\/paths\/~1outgoing\/post/),
  ])
})
