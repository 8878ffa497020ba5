import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkMessage } from '../../../dev/slack/block-kit/index.ts'
import { renderPrivateList } from '../../../src/features/calls/view.ts'
import { escapeText, type Message } from '../../../src/slack/blocks/blocks.ts'
import { Delivery } from '../../../src/slack/deliver/delivery.ts'
import type { Workspace } from '../../../src/store/tenant.ts'
import { LineNames } from '../../../src/telephony/lines.ts'
import type { Call } from '../../../src/telephony/types.ts'
import { utcDay } from '../../../src/time/days.ts'
import { parseZone } from '../../../src/time/zone-names.ts'
import { hourMs } from '../../../src/util/units.ts'
import { type TestApp, useApp } from '../../support/app.ts'
import { anyCharacter, forRunsAsync } from '../../support/properties.ts'
import { sentVariants } from '../../support/sent-forms.ts'
import { getRows } from '../../support/shown.ts'

const team = { enterpriseId: undefined, teamId: 'T1' }
const recordingsBaseUrl = 'https://recordings.example.com/'

/** Refuses the next answers with Slack's code. */
function refuseNext(app: TestApp, error: string, times = 1): void {
  for (let n = 0; n < times; n += 1)
    app.slack.failNext('response_url', { status: 400, body: { ok: false, error } })
}

const createDelivery = (now = () => 0) => new Delivery({ log: { error: () => {} }, now })
const withTypes = (...types: string[]) =>
  ({ text: 'a', blocks: types.map((type) => ({ type })) }) as unknown as Message

describe('if Slack refuses the blocks of an answer', () => {
  const app = useApp({ connected: true })

  const codes = ['invalid_blocks', 'invalid_attachments', 'block_mismatch', 'invalid_table']
  it.each(codes)('%s: sends the rows as lines this time, and the table next time', async (code) => {
    refuseNext(app, code)
    const message = await app.member.command('/calls')
    expect(getRows(message)).toEqual([])
    expect(JSON.stringify(message.blocks)).toMatch(/Answered|Missed/)
    expect(getRows(await app.member.command('/calls'))).toHaveLength(20)
  })

  it.each(['msg_too_long', 'msg_blocks_too_long'])(
    '%s: sends smaller forms with the same types of blocks, then the text alone, within four posts',
    async (code) => {
      refuseNext(app, code, 3)
      const inWords = await app.member.command('/calls')
      expect(inWords.blocks).toEqual([])
      expect(inWords.text).toContain('incoming calls')
      await app.logged('Slack rejected the blocks of a message')
      refuseNext(app, code)
      expect(getRows(await app.member.command('/calls'))).toHaveLength(20)
    },
  )

  it('sends the text alone if it also refuses the lines', async () => {
    refuseNext(app, 'invalid_blocks', 2)
    const calls = await app.member.command('/calls')
    expect(calls.blocks).toEqual([])
    expect(calls.text.split('\n')).toHaveLength(21)
    const list = await app.member.command('/agents')
    refuseNext(app, 'invalid_blocks', 3)
    const agents = await app.member.click(list, 'agents.page.next')
    expect(agents).toMatchObject({ ts: list.ts, blocks: [], text: expect.stringContaining('13 agents') })
    await app.logged('Slack rejected the blocks of a message', 2)
  })
})

it('tries only the table if Slack refuses the chart', async () => {
  const forms = { message: withTypes('data_visualization'), fallbacks: [() => withTypes('table')] }
  const sent: string[] = []
  await createDelivery().send(forms, team, async ({ types }) => {
    sent.push(types)
    return sent.length === 1 ? { kind: 'refused', code: 'invalid_blocks' } : { kind: 'sent' }
  })
  expect(sent).toEqual(['data_visualization', 'table'])
})

it('trusts block types that Slack accepted together, in that workspace, for an hour', async () => {
  let now = 1_800_000_000_000
  const delivery = createDelivery(() => now)
  const isTrusted = (workspace: Workspace, ...types: string[]) =>
    delivery.serializeIfAccepted({ message: withTypes(...types) }, workspace, {}) !== undefined
  const table = { message: withTypes('table') }
  expect([isTrusted(team, 'section'), isTrusted(team, 'table')]).toEqual([true, false])
  const unsent = [{ kind: 'refused', code: 'invalid_blocks' } as const, { kind: 'unknown' } as const]
  for (const result of unsent) await delivery.send(table, team, async () => result)
  expect(isTrusted(team, 'table')).toBe(false)
  await delivery.send(table, team, async () => ({ kind: 'sent' }))
  expect([isTrusted(team, 'table'), isTrusted({ ...team, teamId: 'T2' }, 'table')]).toEqual([true, false])
  expect(isTrusted(team, 'data_visualization', 'table')).toBe(false)
  now += hourMs
  expect(isTrusted(team, 'table')).toBe(false)
})

it('sends a message of 11,999 bytes, and the next form of one of 12,000', async () => {
  const sendFirst = async (length: number) => {
    const blocks = [{ type: 'divider' as const, block_id: 'x'.repeat(length) }]
    const answer = { message: { text: 'long', blocks }, fallbacks: [() => ({ text: 'short' })] }
    const [first] = await sentVariants(answer, team)
    return { text: first.text, bytes: Buffer.byteLength(JSON.stringify(first)) }
  }
  const padding = 11_999 - (await sendFirst(0)).bytes
  expect(await sendFirst(padding)).toEqual({ text: 'long', bytes: 11_999 })
  expect((await sendFirst(padding + 1)).text).toBe('short')
})

describe('a list', () => {
  const app = useApp({ connected: true, config: { recordingsBaseUrl } })

  it('has a text with its rows in short form, for screen readers and notifications', async () => {
    const { member, admin, sandbox } = app
    const calls = await member.command('/calls')
    expect(calls.text.split('\n').slice(1)).toEqual(getRows(calls).map((row) => row.slice(0, 3).join(' · ')))
    const agents = await member.command('/agents')
    for (const { name } of sandbox.accounts.lively.agents.slice(0, 10))
      expect(agents.text).toContain(escapeText(name))
    await admin.submit(await admin.open('/billing schedule'), { rhythm: 'weekly 1' })
    expect((await admin.command('/billing schedules')).text).toMatch(/Monday.*Next/)
    expect((await admin.command('/billing audit')).text).toContain('connected the phone account')
  })

  it('has a size in bytes: a page in a script with three bytes per character is complete', async () => {
    const record = { 'DID number': '電'.repeat(60), Recording: `${'話'.repeat(90)}.mp3` }
    app.sandbox.faults.always({ kind: 'set', record }, { operation: 'incoming' })
    for (let n = 0; n < 2; n++) expect(getRows(await app.member.command('/calls'))).toHaveLength(20)
  })
})

it('builds a page of calls that Slack accepts from any data', async () => {
  const zone = parseZone('Europe/Berlin')!
  const longest = { enterpriseId: 'E0123456789', teamId: 'T0123456789' }
  const text = fc.string({ unit: anyCharacter, maxLength: 200 }).map((one) => one.toWellFormed())
  const odd = text.map((one) => ({ raw: one }))
  const call: fc.Arbitrary<Call> = fc.record({
    id: text,
    direction: fc.constant('incoming'),
    number: text,
    at: odd,
    seconds: odd,
    status: odd,
    cost: odd,
    recording: fc.option(text, { nil: undefined }),
  })
  await forRunsAsync(100, fc.array(call, { minLength: 20, maxLength: 20 }), text, async (calls, name) => {
    const answer = renderPrivateList({
      agentNames: new Map(),
      states: new Map(),
      query: { direction: 'incoming', page: 2, agentId: '1', agentName: name.slice(0, 75).toWellFormed() },
      page: { calls, page: 2, total: 133 },
      zone,
      now: new Date(),
      today: utcDay(new Date()),
      recordingsBaseUrl,
      lines: LineNames.none,
      nonce: 'n',
    })
    const forms = await sentVariants(answer, longest)
    expect(forms).toHaveLength(3)
    for (const sent of forms) expect(checkMessage(sent)).toEqual([])
    for (const sent of forms.slice(0, 2)) expect(sent.blocks).toBeDefined()
  })
})
