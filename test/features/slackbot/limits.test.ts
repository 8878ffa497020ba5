import { expect, it } from 'vitest'
import { z } from 'zod'
import { ToolCalls } from '../../../src/features/slackbot/calls.ts'
import { textOf } from '../../../src/features/slackbot/result.ts'
import type { Tool } from '../../../src/slack/routing/routes.ts'

const answer = {
  title: 't',
  about: 'a',
  columns: ['c'],
  rows: [['r']],
  notes: [],
  forms: { message: { text: 't' } },
}

/** Calls that are let in at once, of a tool that answers when it is told to. */
function scene({ toolBudgetMs = 60_000 } = {}) {
  const run = { admit: async () => ({ fallback: {} }), outcome: 'ok' }
  const interactions = { run: (_: string, work: (own: typeof run) => Promise<void>) => work({ ...run }) }
  const calls = new ToolCalls({ interactions, toolBudgetMs } as never)
  const gate = Promise.withResolvers<void>()
  let running = 0
  const tool = {
    name: 'list_calls',
    input: z.object({}),
    async run() {
      running += 1
      await gate.promise
      return answer
    },
  } as unknown as Tool
  return {
    call: (user: string, team = 'T1') => calls.call(tool, {}, { user_id: user, team_id: team }, false),
    open: gate.resolve,
    running: () => running,
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

it('runs 4 calls of a person at a time, lets 12 wait, and tells the rest', async () => {
  const { call, open, running } = scene()
  const all = Array.from({ length: 20 }, () => call('U1'))
  await settled()
  expect(running()).toBe(4)
  open()
  const isBusy = (await Promise.all(all)).map((one) => 'isError' in one)
  expect(isBusy.filter(Boolean)).toHaveLength(4)
  expect(running()).toBe(16)
})

it('runs 16 calls of a workspace at a time, whoever asks, and none of it waits for another workspace', async () => {
  const { call, open, running } = scene()
  const all = Array.from({ length: 20 }, (_, index) => call(`U${index}`))
  await settled()
  expect(running()).toBe(16)
  const other = call('U1', 'T2')
  await settled()
  expect(running()).toBe(17)
  open()
  expect((await Promise.all([...all, other])).filter((one) => 'isError' in one)).toEqual([])
})

it('runs nothing that has waited longer than whoever asked did', async () => {
  const { call, open, running } = scene({ toolBudgetMs: 0 })
  const answers = await Promise.all(Array.from({ length: 5 }, () => call('U1')))
  expect(answers.filter((one) => 'isError' in one)).toHaveLength(5)
  expect(running()).toBe(4)
  open()
  await settled()
  await settled()
  expect(running()).toBe(4)
})

it('keeps what is in a cell there, whatever it holds', () => {
  const text = textOf({ ...answer, columns: ['a', 'b'], rows: [['one \\| two', 'three']] })
  expect(text).toContain(String.raw`| one \\\| two | three |`)
})

it('says how many rows its text leaves out', () => {
  const rows = Array.from({ length: 300 }, (_, index) => [`${index}`, 'x'.repeat(150)])
  const text = textOf({ ...answer, columns: ['a', 'b'], rows })
  expect(text.length).toBeLessThanOrEqual(8000)
  const [, left] = /(\d+) more rows are left out here\./.exec(text) ?? []
  expect(text.split('\n').filter((line) => /^\| \d/.test(line))).toHaveLength(300 - Number(left))
})
