import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { createLog } from '../src/log.ts'

const lineSchema = z.object({
  level: z.number(),
  msg: z.string(),
  count: z.number().optional(),
  err: z.union([z.string(), z.object({ code: z.string().optional() })]).optional(),
})
let lines: z.infer<typeof lineSchema>[]
let written: string
let created: ReturnType<typeof createLog>

beforeEach(() => {
  vi.useFakeTimers()
  lines = []
  written = ''
  const write = (line: string) => {
    written += line
    lines.push(lineSchema.parse(JSON.parse(line)))
  }
  created = createLog('info', { write })
})
afterEach(() => vi.useRealTimers())

const refused = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
const counts = () => lines.map(({ msg, count = 1 }) => `${count} ${msg}`)

it('writes errors of one kind once a second with their count', () => {
  const { log } = created
  for (let n = 0; n < 100; n += 1) log.error({ err: refused(), queue: String(n) }, 'pg-boss')
  expect(counts()).toEqual(['1 pg-boss'])
  vi.advanceTimersByTime(1000)
  expect(counts()).toEqual(['1 pg-boss', '99 pg-boss'])
  for (let n = 0; n < 10; n += 1) log.child({ part: 'other' }).error({ err: refused() }, 'pg-boss')
  vi.advanceTimersByTime(1000)
  expect(counts()).toEqual(['1 pg-boss', '99 pg-boss', '10 pg-boss'])
  expect(lines[2]).toMatchObject({ level: 50, err: 'ECONNREFUSED' })
  vi.advanceTimersByTime(5000)
  log.error({ err: refused() }, 'pg-boss')
  expect(counts()).toHaveLength(4)
  expect(lines[3]?.err).toMatchObject({ code: 'ECONNREFUSED' })
})

it('keeps other messages, levels, codes and types apart', () => {
  const { log } = created
  const wrapped = new Error('the store could not get', { cause: refused() })
  for (const err of [refused(), new TypeError('a mistake'), 'SyntaxError', { code: '57P01' }, wrapped])
    log.warn({ err }, 'first')
  log.warn({ err: refused() }, 'second')
  log.error({ err: refused() }, 'second')
  // The cause's code is the wrapped error's.
  expect(counts()).toEqual(['1 first', '1 first', '1 first', '1 first', '1 second', '1 second'])
  vi.advanceTimersByTime(1000)
  expect(lines.at(-1)).toMatchObject({ msg: 'first', count: 1, err: 'ECONNREFUSED' })
})

it('writes each error of an interaction, because an apology shows its reference', () => {
  const { log, requestIds } = created
  for (const reference of ['a', 'b', 'c'])
    requestIds.run(reference, () => log.error({ err: refused() }, 'unexpected'))
  expect(counts()).toHaveLength(3)
})

it('writes no secret, and of an error only its type, code, message and stack', () => {
  const secrets = ['key', 'secret', 'token', 'password', 'authorization', 'url', 'response_url']
  for (const name of secrets) {
    created.log.info({ [name]: 'invented', request: { [name]: 'invented' } }, 'a request')
    created.log.error({ err: Object.assign(refused(), { client: { [name]: 'invented' } }) }, name)
  }
  expect(written.match(/\[redacted\]/g)).toHaveLength(2 * secrets.length)
  expect(written).toContain('ECONNREFUSED')
  expect(written).not.toContain('invented')
})
