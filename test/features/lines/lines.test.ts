import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isOfLine, MAX_LINE_LENGTH, toLineKey } from '../../../src/telephony/lines.ts'
import { dayMs, minuteMs } from '../../../src/util/units.ts'
import { useApp } from '../../support/app.ts'
import { written } from '../../support/numbers.ts'
import { forAll } from '../../support/properties.ts'
import { getButtons, getColumn, getRows } from '../../support/shown.ts'
import { createCall, exportRows, nameLines } from '../calls/calls.ts'

describe('/calls lines', () => {
  const app = useApp({ connected: true })
  const berlin = '+493023125042'

  /** Adds calls to new lines, once those that were read after connecting are out of date. */
  function callLines(count: number, prefix = '+44203003'): void {
    app.clock.ahead += 6 * minuteMs
    for (let n = 0; n < count; n += 1) {
      const call = createCall(`${prefix}${3000 + n}`, new Date(), { direction: 'incoming' })
      app.sandbox.accounts.lively.addCalls(call)
    }
  }

  it('has a field for each number that is billed or was called', async () => {
    callLines(1)
    const modal = await app.admin.open('/calls lines')
    const billed = app.sandbox.accounts.lively.billing.addOn.numbers
    for (const { number } of billed) expect(modal).toShow(written(number))
    expect(modal).toShow('Name your lines', '+44 20 3003 3000')
  })

  it.each(['incoming', 'billing'] as const)(
    'opens from the message that says that %s failed',
    async (operation) => {
      const { admin, sandbox } = app
      sandbox.faults.always({ kind: 'status', status: 503 }, { operation })
      const apology = await admin.command('/calls lines')
      expect(apology).toShow("The phone service isn't responding.")
      sandbox.faults.clear()
      expect(await admin.open(apology, 'command.again')).toShow('Name your lines')
    },
  )

  it('saves names, which replace numbers and can be searched', async () => {
    const { admin, member } = app
    expect(await nameLines(app, { [berlin]: ' Sales  Berlin ', '+12025550142': 'Sales New York' })).toShow(
      'Saved. These lines have names:\n• *Sales Berlin* +49 30 23125042\n• *Sales New York* +1 202 555 0142',
    )
    const label = 'Sales Berlin'
    const report = await member.command('/calls report last 30 days')
    expect(getColumn(report, 'Line')).toContain(label)
    expect(getColumn(await member.command('/calls last 30 days'), 'Line')).toContain(label)
    expect(getColumn(await member.command('/calls outgoing'), 'Number dialed')).not.toContain(label)
    expect(getColumn(await member.command('/calls number:4930'), 'Number')).toContain(label)

    const count = getColumn(report, 'Incoming')[getColumn(report, 'Line').indexOf(label)]
    for (const line of ['"Sales Berlin"', berlin]) {
      const found = await member.command(`/calls report last 30 days line:${line}`)
      expect(found).toShow('calls to Sales Berlin · by ', `*Incoming*\n${count}`)
    }
    const list = await member.command('/calls last 30 days line:berlin')
    expect(list).toShow(`${count} incoming calls to ${label} in the last 30 days`)
    const ofLine = await member.command('/calls report last 30 days line:berlin')
    const missed = await member.click(ofLine, 'calls.missed')
    expect(missed).toShow(` to ${label} in the last 30 days`)
    expect(missed.ts).not.toBe(ofLine.ts)
    expect(await admin.command('/billing audit')).toShow('named lines: 2 names')
  })

  it('asks for the line if several match, or says that there is none', async () => {
    await nameLines(app, { [berlin]: 'Sales Berlin', '+12025550142': 'Sales New York' })
    for (const [command, show, shown] of [
      ['/calls', 'calls.show.0', 'to Sales New York'],
      ['/calls report', 'report.show.0', 'Sales New York, '],
    ] as const) {
      const choice = await app.member.command(`${command} line:sales last 30 days`)
      expect(choice).toShow('2 lines match "sales". Which one?')
      expect(getButtons(choice)).toHaveLength(2)
      expect(await app.member.click(choice, show)).toShow(shown)
      expect(await app.member.command(`${command} line:support`)).toShow('No line matches "support".')
    }
  })

  it('finds a line by its name, without `line:` or accents, unless an agent has that name', async () => {
    const { member } = app
    await nameLines(app, { [berlin]: 'Sales Bérlin', '+12025550142': 'Hollis' })
    for (const name of ['"Sales Berlin"', 'sales berlin', 'line:berlin'])
      expect(await member.command(`/calls ${name} last 30 days`)).toShow('incoming call', ' to Sales Bérlin')
    expect(await member.command('/calls berlin report')).toShow('Sales Bérlin, ', ' · As of ')
    expect(await member.command('/calls hollis')).toShow('Hollis Grant: ', ' incoming calls')
    const chosen = await member.click(await member.command('/calls mine sales berlin'), 'calls.me.0')
    expect(chosen).toShow('ncoming call', ' to Sales Bérlin')
    expect(await member.click(chosen, 'calls.direction')).not.toShow('Sales Bérlin')
    expect(await member.command('/calls hollis outgoing berlin')).toShow('outgoing calls')
    expect(await member.command('/calls berlin number:0042')).toShow('Choose line: or number:, not both.')
  })

  it('rejects duplicate names, and names without a letter', async () => {
    const wrong = await nameLines(app, { [berlin]: 'Ox', '+12025550142': 'ox', '+442079460042': '4711' })
    expect(Object.values(wrong.errors).sort()).toEqual([
      'Another line has that name. Choose a different one.',
      'Use at least one letter, and no quotes.',
    ])
    expect(getColumn(await app.member.command('/calls report'), 'Line').join()).not.toContain('x')
  })

  it('reaches the numbers that the form has no room for, and keeps the names of the others', async () => {
    const { admin, member, sandbox } = app
    await nameLines(app, { [berlin]: 'Sales Berlin' })
    callLines(100)
    const first = await admin.open('/calls lines')
    const all = sandbox.accounts.lively.billing.addOn.numbers.length + 100
    expect(first).toShow(`Numbers 1–60 of ${all}`, 'Save to see the next ones.', '+1 202 555 0142')
    const second = await admin.submit(first, { 'line-1': 'New York' })
    expect(second).toShow(`Numbers 61–${all} of ${all}`, '+49 30 23125042')
    const taken = await admin.submit(second, { 'line-60': 'new york' })
    expect(taken.errors).toEqual({ 'line-60': expect.stringContaining('Another line has that name') })
    expect(await admin.submit(second, { 'line-60': null })).toShow('• *New York* +', '• *Sales Berlin* +')
    const report = await member.command('/calls report last 30 days')
    expect(getColumn(report, 'Line')).toEqual(expect.arrayContaining(['Sales Berlin']))
    expect(JSON.stringify(app.stored.all())).toContain('New York')
  })

  it('says that no further numbers are left for the next form', async () => {
    callLines(100, '+88621234')
    const first = await app.admin.open('/calls lines')
    expect(first).toShow('Save to see the next ones.')
    app.clock.ahead += 40 * dayMs
    expect(await app.admin.submit(first, { 'line-0': 'New York' })).toShow('There are no numbers to name.')
  })

  it("shows numbers instead if its names can't be read", async () => {
    const key = `/${app.slack.workspace.teamId}`
    await app.restart(() => app.stored.write([{ namespace: 'lines', key, value: 'no JSON', expires: null }]))
    const report = await app.member.command('/calls report last 30 days')
    expect(getColumn(report, 'Line')).toContain(written(berlin))
  })

  it('removes names, and deletes them with the workspace', async () => {
    await nameLines(app, { [berlin]: 'Sales Berlin' })
    expect(JSON.stringify(app.stored.all())).toContain('Sales Berlin')
    expect(await nameLines(app, {})).toShow('Saved. No line has a name now.')
    expect(getColumn(await app.member.command('/calls report'), 'Line').join()).not.toContain('Sales')
    await nameLines(app, { [berlin]: 'Sales Berlin' })
    await app.admin.click(await app.admin.command('/callboard forget'), 'lifecycle.forget')
    expect(JSON.stringify(app.stored.all())).not.toContain('Sales Berlin')
  })
})

describe('lines with parts of a number in common', () => {
  const app = useApp({ connected: true })

  /** Each line of a pair is a part of the other, or has the same digits. */
  const pairs = [
    ['+49305550', '+49305550-12'],
    ['1001', '+15555551001'],
    // Longer than the key of a name.
    ['sip:sales.department@berlin.pbx2.example.com', 'sip:support@pbx2'],
    ['1-800-FLOWERS', '1-800-PETMEDS'],
    ['*60', '60'],
  ] as const

  const call = (number: string, index: number) =>
    createCall(number, new Date(Date.now() - (index + 1) * minuteMs), { direction: 'incoming' })

  it.each(pairs)('%s and %s are two lines in lists, reports and exports', async (one, other) => {
    const { member, sandbox } = app
    sandbox.accounts.lively.addCalls(...[one, one, other].map(call))
    await nameLines(app, { [one.slice(0, MAX_LINE_LENGTH)]: 'Zentrale' })
    expect(getColumn(await member.command('/calls last 7 days'), 'Line')).toContain('Zentrale')
    expect(await member.command('/calls Zentrale last 7 days')).toShow('2 incoming calls to Zentrale')
    const report = await member.command('/calls report Zentrale last 7 days')
    expect(report).toShow('Zentrale, ', 'Incoming: 2,')
    expect(getRows(await member.click(report, 'calls.missed'))).toEqual([])
    const rows = await exportRows(app, 'Zentrale last 7 days')
    expect(rows.map((row) => row['Number']?.replaceAll(/[ ']/g, ''))).toEqual([one, one])
  })

  it('finds parts and ends of numbers for typed digits', async () => {
    const { member, sandbox } = app
    sandbox.accounts.lively.addCalls(...['1001', '+15555551001', '+100155555'].map(call))
    expect(await member.command('/calls number:1001 incoming today')).toShow('3 incoming calls')
    expect(await member.command('/calls line:1001 last 7 days')).toShow('2 incoming calls to …1001')
    const report = await member.command('/calls report line:1001 last 7 days')
    expect(report).toShow('calls to …1001 · by ', 'Incoming: 2,')
  })
})

describe("a line's number", () => {
  it.each([
    ['+49 30 2312-5042', '493023125042'],
    ['004930 23125042', '493023125042'],
    ['(030) 23125042', '03023125042'],
    ['+44 (0)20 7946 0042', '442079460042'],
    ['*60', '*60'],
    ['sip:sales@pbx2', 'sip:sales@pbx2'],
    ['1-800-FLOWERS', '1-800-flowers'],
  ])('%s is %s', (written, key) => expect(toLineKey(written)).toBe(key))

  it('is found in any notation, and by the last digits that a person typed', () => {
    forAll(fc.integer({ min: 10 ** 9, max: 10 ** 12 }), fc.integer({ min: 4, max: 9 }), (digits, last) => {
      const number = `+${digits}`
      expect(isOfLine(number, `00${digits}`)).toBe(true)
      expect(isOfLine(number, `…${String(digits).slice(-last)}`)).toBe(true)
      expect(isOfLine(number, String(digits).slice(-last))).toBe(false)
      expect(isOfLine(number, `${digits}0`)).toBe(false)
    })
  })
})
