import { describe, expect, it } from 'vitest'
import { minuteMs } from '../../../src/util/units.ts'
import { useApp } from '../../support/app.ts'
import { getActions, getColumn } from '../../support/shown.ts'
import { direct } from '../export/exports.ts'
import { exportRows, lastDaysUntil } from './calls.ts'

const app = useApp({ connected: true })

/** Changes one record of each page, in responses of both directions. */
function changeOne(patch: Record<string, unknown>) {
  const [first] = app.sandbox.accounts.lively.calls('incoming')
  app.sandbox.faults.always({
    kind: 'patch',
    patch: (record) => (record['id'] === first?.id ? { ...record, ...patch } : record),
  })
}

/** Sets how long a missed call rang, like Asterisk. */
const ring = (record: Record<string, unknown>) =>
  record['Status'] === 'NOTANSWERED' ? { ...record, Duration: '00:00:31' } : record

describe.each(['0001-01-01', '1970-01-01', '9999-12-31', '2000-01-01'])('a call of %s', (day) => {
  const zones = ['Europe/Berlin', 'America/Los_Angeles', '+14:00']

  it.each(zones)('is shown as it came, and counted like one without a time, in %s', async (zone) => {
    const { member } = app
    const time = `${day} 12:00:00 AM`
    await member.command(`/calls timezone ${zone}`)
    changeOne({ 'Date Time': time })
    const range = lastDaysUntil(0, 7, zone)
    expect(getColumn(await member.command(`/calls ${range}`), 'Time')).toContain(time)
    const found = await member.command(`/calls incoming number:49302312 ${range}`)
    expect(found).toShow('calls to numbers with 49302312')
    const report = await member.command(`/calls report by:day ${range}`)
    expect(report).toShow("Values of 1 call can't be read", 'No time')
    expect((await exportRows(app, range)).map(({ Time }) => Time)).toContain(time)
  })
})

describe.each([0, 3, '19'])('a total of %j above 20 calls', (total_record) => {
  it('is unknown: the list goes on, and reports and exports have all calls', async () => {
    const { member, sandbox } = app
    sandbox.faults.always({ kind: 'set', envelope: { total_record } }, { operation: 'incoming' })
    const list = await member.command('/calls')
    expect(list).not.toShow(` of ${total_record}`)
    expect(await member.click(list, 'calls.page.next')).toShow('21–40')
    const expected = sandbox.accounts.lively.calls('incoming').length
    const range = lastDaysUntil(0, 701)
    expect(await member.command(`/calls report ${range}`)).toShow(`Incoming: ${expected}`)
    expect(await exportRows(app, range)).toHaveLength(expected)
  })
})

it.each(['line', 'agent', 'hour', 'day'])('missed calls have no talk time, by:%s', async (by) => {
  const report = async () => {
    app.clock.ahead += 11 * minuteMs
    const message = await app.member.command(`/calls report ${lastDaysUntil(2, 89)} by:${by}`)
    return { talk: getColumn(message, 'Talk time'), text: message.text }
  }
  const { talk } = await report()
  app.sandbox.faults.always({ kind: 'patch', patch: ring }, { operation: 'incoming' })
  const rung = await report()
  expect(rung.talk).toEqual(talk)
  expect(rung.text).toContain('Average length: ')
})

describe('a service that ignores pages', () => {
  const text = "The phone service's list doesn't continue"

  /** Answers every page with the records of the first one. */
  function repeatFirstPage() {
    const records: Record<string, unknown>[] = []
    let read = 0
    app.sandbox.faults.always(
      {
        kind: 'patch',
        patch(record) {
          if (records.length < 20) records.push(record)
          read += 1
          return records[(read - 1) % 20] ?? record
        },
      },
      { operation: 'incoming' },
    )
  }

  it('is named by the next page of a list', async () => {
    repeatFirstPage()
    const next = await app.member.click(await app.member.command('/calls'), 'calls.page.next')
    expect(next).toShow(text)
    expect(getActions(next)).toContain('calls.filter')
  })

  const commands = ['report last 90 days', 'number:493023125042 incoming last 90 days', 'export']

  it.each(commands)('is named by /calls %s', async (words) => {
    repeatFirstPage()
    const message = await app.member.command(`/calls ${words}`)
    expect(words === 'export' ? await direct(app.slack, app.member, 'Export failed') : message).toShow(text)
  })
})

it.each(['', null, undefined, ' '])('a cost or length of %j is none', async (value) => {
  const { member, sandbox } = app
  sandbox.faults.always({ kind: 'patch', patch: (record) => ({ ...record, Cost: value, Duration: value }) })
  const report = await member.command('/calls report last 30 days')
  expect(report).not.toShow('Cost', 'Average length', 'Talk time', '–"', "can't be read")
  expect(await member.command('/calls')).not.toShow('Cost')
})
