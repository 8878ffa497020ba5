import { expect, it } from 'vitest'
import type { SandboxCall } from '../../../dev/service/types.ts'
import { minuteMs } from '../../../src/util/units.ts'
import { useApp } from '../../support/app.ts'
import { getButtons, getRows } from '../../support/shown.ts'
import { direct, rowsOfFile } from '../export/exports.ts'

const app = useApp({ connected: true })

/** Each line of a pair is a part of the other, or has the same digits. */
const pairs = [
  ['+49305550', '+49305550-12'],
  ['1001', '+15555551001'],
  ['sip:sales@pbx2', 'sip:support@pbx2'],
  ['1-800-FLOWERS', '1-800-PETMEDS'],
  ['*60', '60'],
] as const

function call(number: string, index: number): SandboxCall {
  const at = new Date(Date.now() - (index + 1) * minuteMs)
  const rest = { seconds: 5, answered: true, cost: '0', recording: '', agentId: '1001' }
  return { id: `whole-${index}`, direction: 'incoming', number, at, ...rest }
}

/** Names the line of these calls, which the form shows as its label. */
async function nameLine(number: string) {
  // The numbers that were read when the account was connected are out of date.
  app.clock.ahead += 6 * minuteMs
  const modal = await app.admin.open('/calls lines')
  const labels = modal.blocks.flatMap((block) => ('label' in block ? [block.label as { text: string }] : []))
  const index = labels.findIndex(({ text }) => text.replaceAll(' ', '') === number)
  await app.admin.submit(modal, { [`line-${index}`]: 'Zentrale' })
}

it.each(pairs)('%s and %s are two lines in lists, reports and exports', async (one, other) => {
  const { member, sandbox, slack } = app
  sandbox.accounts.lively.addCalls(...[one, one, other].map(call))
  await nameLine(one)
  const list = await member.command('/calls Zentrale last 7 days')
  expect(list).toShow('2 incoming calls to Zentrale')
  const report = await member.command('/calls report Zentrale last 7 days')
  expect(report).toShow('Zentrale, ', 'Incoming: 2,')
  expect(getRows(await member.click(report, 'calls.more', 'missed'))).toEqual([])
  await member.command('/calls export Zentrale last 7 days')
  await direct(slack, member, 'Here are')
  const numbers = rowsOfFile(slack, member).map((row) => row['Number']?.replaceAll(/[ ']/g, ''))
  expect(numbers).toEqual([one, one])
})

it('finds parts and ends of numbers for typed digits', async () => {
  const { member, sandbox } = app
  sandbox.accounts.lively.addCalls(...['1001', '+15555551001', '+100155555'].map(call))
  expect(await member.command('/calls number:1001 incoming today')).toShow('3 incoming calls')
  expect(await member.command('/calls line:1001 last 7 days')).toShow('2 incoming calls to …1001')
  expect(await member.command('/calls report line:1001 last 7 days')).toShow('line …1001', 'Incoming: 2,')
})

it('keeps the line when a list is filtered, paged and exported', async () => {
  const { member, sandbox } = app
  sandbox.accounts.lively.addCalls(...Array.from({ length: 30 }, (_, index) => call('sip:sales@pbx2', index)))
  const list = await member.command('/calls line:sip:sales@pbx2 last 7 days')
  expect(list).toShow('1–20 of 30', 'incoming calls to sip:sales@pbx2')
  const [button] = getButtons(list).filter(({ action_id }) => action_id === 'calls.page.next')
  expect(JSON.parse(button?.value ?? '{}')).toMatchObject({ line: 'sip:sales@pbx2' })
})
