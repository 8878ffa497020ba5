import { readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Actor, Message } from '../dev/slack/slack.ts'
import { type Surroundings, startSurroundings } from './process/app-process.ts'
import { CostProcess } from './process/cost-process.ts'
import { useApp } from './support/app.ts'
import { askShared } from './support/shared/ask.ts'

// Limits on counts, because durations depend on the machine. A change that costs more raises its limit here.

const starts = [
  ['of the sources', 'sources', { modules: 795, statements: 84 }],
  ['of the build', 'build', { modules: 8, statements: 84, promises: 1250 }],
] as const

const interactions: readonly (readonly [name: string, cost: object, ask: () => Promise<Message>])[] = [
  [
    'a command',
    { service: 1, slack: 0, statements: 0, modules: 0, lines: 1, promises: 210, timers: 10 },
    () => admin.command('/calls'),
  ],
  [
    'a click',
    { service: 1, slack: 1, statements: 0, modules: 0, lines: 1, promises: 210, timers: 12 },
    () => admin.click(list, 'calls.page.next'),
  ],
  [
    'a page that was never read before',
    { service: 1, statements: 0 },
    () => {
      page += 1
      return admin.command(`/calls page:${page}`)
    },
  ],
  [
    'a report of a week',
    { service: 12, slack: 0, statements: 1, modules: 0, lines: 1, promises: 600, timers: 55 },
    () => admin.command('/calls report last 7 days'),
  ],
]

let around: Surroundings
let process: CostProcess
let admin: Actor
let list: Message
let page = 1

/** Turns prefetching off, which would count towards the next interaction. */
const startProcess = (name: string, program?: 'build' | 'sources') => {
  const STORE_URL = `sqlite:${join(around.folder, name)}`
  return CostProcess.start({ ...around.env, STORE_URL, FETCH_AHEAD: 'off' }, program)
}

beforeAll(async () => {
  around = await startSurroundings(2000)
  process = await startProcess('interactions.sqlite')
  around.slack.appUrl = process.app.url
  admin = await around.connect()
  list = await admin.command('/calls')
})

afterAll(async () => {
  process.app.kill('SIGKILL')
  await around.close()
})

function expectAtMost(spent: Readonly<Record<string, number>>, limits: object) {
  const over = Object.entries(limits).filter(([name, limit]) => (spent[name] ?? Number.NaN) > limit)
  expect(Object.keys(spent)).toEqual(expect.arrayContaining(Object.keys(limits)))
  expect(over.map(([name]) => [name, spent[name]])).toEqual([])
}

it.each(starts)('a start %s', async (name, program, cost) => {
  const starting = await startProcess(`${name}.sqlite`, program)
  const spent = await starting.spent()
  starting.app.kill('SIGKILL')
  expectAtMost(spent, cost)
})

it('builds a main chunk of at most 1,190 kB', async () => {
  const dist = dirname(await askShared('build'))
  const sizes = readdirSync(dist)
    .filter((name) => /^server-.*\.mjs$/.test(name))
    .map((name) => statSync(join(dist, name)).size)
  expect(Math.max(...sizes)).toBeLessThan(1_190_000)
})

async function measureCost(ask: () => Promise<unknown>): Promise<Readonly<Record<string, number>>> {
  const counts = () => ({
    lines: process.lines,
    slack: around.slack.calls.length,
    service: around.sandbox.requests.count(),
  })
  await process.spent()
  const before = counts()
  await ask()
  await expect.poll(() => process.lines).toBeGreaterThan(before.lines)
  const spent = await process.spent()
  const after = counts()
  return {
    ...spent,
    lines: after.lines - before.lines,
    slack: after.slack - before.slack,
    service: after.service - before.service,
  }
}

it.each(interactions)('%s', async (_, cost, ask) => {
  // The first interaction fills the caches. Background jobs also run meanwhile, so the minimum of several counts.
  await ask()
  const least: Record<string, number> = {}
  for (let turn = 0; turn < 4; turn += 1)
    for (const [name, spent] of Object.entries(await measureCost(ask)))
      least[name] = Math.min(spent, least[name] ?? spent)
  expectAtMost(least, cost)
})

describe('the blocks of a message', () => {
  const app = useApp({ connected: true, calls: 2000 })

  // At a fixed time, because the sandbox's records vary with the date.
  it.each([
    ['/calls', 8000],
    ['/calls page:2', 8750],
    ['/calls report last 7 days', 5700],
  ])('%s', async (command, limit) => {
    app.clock.ahead = Date.parse('2026-11-23T15:00:00Z') - Date.now()
    const { blocks } = await app.member.command(command)
    expect(Buffer.byteLength(JSON.stringify(blocks))).toBeLessThan(limit)
  })
})
