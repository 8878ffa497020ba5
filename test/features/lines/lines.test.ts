import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isOfLine, LineNames, lineKey } from '../../../src/telephony/lines.ts'
import { useApp } from '../../support/app.ts'
import { written } from '../../support/numbers.ts'
import { getButtons, getColumn } from '../../support/shown.ts'

describe('/calls lines', () => {
  const app = useApp({ connected: true })
  const berlin = '+493023125042'

  /** Names lines by their numbers. */
  async function nameLines(names: Readonly<Record<string, string>>) {
    const modal = await app.admin.open('/calls lines')
    const labels = modal.blocks.flatMap((block) =>
      'label' in block ? [block.label as { text: string }] : [],
    )
    const values = labels.map(({ text }, index) => [`line-${index}`, names[text.replaceAll(' ', '')] ?? null])
    return app.admin.submit(modal, Object.fromEntries(values))
  }

  it('has a field for each number that is billed or was called', async () => {
    const { admin, sandbox } = app
    const { lively } = sandbox.accounts
    lively.addCalls({ ...lively.calls('incoming')[0]!, id: 'elsewhere', number: '+441214960077' })
    // What was read after connecting is out of date.
    app.clock.ahead += 6 * 60_000
    const modal = await admin.open('/calls lines')
    for (const { number } of lively.billing.addOn.numbers) expect(modal).toShow(written(number))
    expect(modal).toShow('Name your lines', '+44 121 496 0077')
  })

  it("says that the phone service isn't responding, and opens from that message", async () => {
    const { admin, sandbox } = app
    sandbox.faults.always({ kind: 'status', status: 503 })
    const apology = await admin.command('/calls lines')
    expect(apology).toShow("The phone service isn't responding.")
    sandbox.faults.clear()
    expect(await admin.open(apology, 'command.again')).toShow('Name your lines')
  })

  it('saves names, which replace numbers and can be searched', async () => {
    const { admin, member } = app
    expect(await nameLines({ [berlin]: ' Sales  Berlin ', '+12025550142': 'Sales New York' })).toShow(
      'Saved. These lines have names:\n• *Sales Berlin* +49 30 23125042\n• *Sales New York* +1 202 555 0142',
    )
    const label = 'Sales Berlin'
    const report = await member.command('/calls report last 30 days')
    expect(getColumn(report, 'Line')).toContain(label)
    expect(getColumn(await member.command('/calls last 30 days'), 'Line')).toContain(label)
    expect(getColumn(await member.command('/calls outgoing'), 'Number dialed')).not.toContain(label)

    const ofLine = await member.command('/calls report last 30 days line:"Sales Berlin"')
    expect(ofLine).toShow('Sales Berlin, ', ' · As of ', 'line Sales Berlin · +49 30 23125042')
    const count = getColumn(report, 'Incoming')[getColumn(report, 'Line').indexOf(label)]
    expect(ofLine).toShow(`*Incoming*\n${count}`)
    expect(await member.command(`/calls report last 30 days line:${berlin}`)).toShow(
      'line Sales Berlin · +49 30 23125042',
    )
    const list = await member.command('/calls last 30 days line:berlin')
    expect(list).toShow(`${count} incoming calls to ${label} in the last 30 days`)
    const missed = await member.click(ofLine, 'calls.more', 'missed')
    expect(missed).toShow(` to ${label} in the last 30 days`)
    expect(await admin.command('/billing audit')).toShow('named lines: 2 names')
  })

  it('asks for the line if several match, or says that there is none', async () => {
    const { member } = app
    await nameLines({ [berlin]: 'Sales Berlin', '+12025550142': 'Sales New York' })
    const choice = await member.command('/calls report line:sales last 30 days')
    expect(choice).toShow('2 lines match "sales". Which one?')
    expect(await member.click(choice, 'report.show.0')).toShow('Sales New York, ', ' · As of ')
    const list = await member.command('/calls line:sales last 30 days')
    expect(list).toShow('2 lines match "sales". Which one?')
    expect(getButtons(list)).toHaveLength(2)
    expect(await member.click(list, 'calls.show.0')).toShow('to Sales New York')
    expect(await member.command('/calls report line:support')).toShow('No line matches "support".')
    expect(await member.command('/calls line:support')).toShow('No line matches "support".')
  })

  it('finds a line by its name without `line:`, unless an agent has that name', async () => {
    const { member } = app
    await nameLines({ [berlin]: 'Sales Berlin', '+12025550142': 'Hollis' })
    for (const name of ['"Sales Berlin"', 'sales berlin'])
      expect(await member.command(`/calls ${name} last 30 days`)).toShow('incoming call', ' to Sales Berlin')
    expect(await member.command('/calls berlin report')).toShow('Sales Berlin, ', ' · As of ')
    expect(await member.command('/calls hollis')).toShow('Hollis Grant: ', ' incoming calls')
    const chosen = await member.click(await member.command('/calls mine sales berlin'), 'calls.me.0')
    expect(chosen).toShow('ncoming call', ' to Sales Berlin')
    expect(await member.command('/calls hollis outgoing berlin')).toShow('outgoing calls')
    expect(await member.command('/calls berlin number:0042')).toShow('Choose line: or number:, not both.')
  })

  it('rejects duplicate names, and names without a letter', async () => {
    const wrong = await nameLines({ [berlin]: 'Sales', '+12025550142': 'sales', '+442079460042': '4711' })
    expect(Object.values(wrong.errors).sort()).toEqual([
      'Another line has that name. Choose a different one.',
      'Use at least one letter, and no quotes.',
    ])
    expect(getColumn(await app.member.command('/calls report'), 'Line').join()).not.toContain('ales')
  })

  it('reaches the numbers that the form has no room for, and keeps the names of the others', async () => {
    const { admin, member, sandbox } = app
    const { lively } = sandbox.accounts
    const [call] = lively.calls('incoming')
    await nameLines({ [berlin]: 'Sales Berlin' })
    app.clock.ahead += 6 * 60_000
    const numbers = Array.from({ length: 100 }, (_, index) => `+44203003${3000 + index}`)
    lively.addCalls(...numbers.map((number, index) => ({ ...call!, id: `many-${index}`, number })))
    const first = await admin.open('/calls lines')
    const all = lively.billing.addOn.numbers.length + 100
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

  it('removes names, and deletes them with the workspace', async () => {
    const { admin, member } = app
    await nameLines({ [berlin]: 'Sales Berlin' })
    expect(JSON.stringify(app.stored.all())).toContain('Sales Berlin')
    expect(await nameLines({})).toShow('Saved. No line has a name now.')
    expect(getColumn(await member.command('/calls report'), 'Line').join()).not.toContain('Sales')
    await nameLines({ [berlin]: 'Sales Berlin' })
    await admin.click(await admin.command('/callboard forget'), 'lifecycle.forget')
    const kept = () => JSON.stringify(app.stored.all())
    await expect.poll(kept, { timeout: 5000 }).not.toContain('Sales Berlin')
  })
})

describe("a line's number", () => {
  it.each([
    ['+49 30 2312-5042', '493023125042'],
    ['004930 23125042', '493023125042'],
    ['(030) 23125042', '03023125042'],
    ['+44 (0)20 7946 0042', '442079460042'],
    ['anonymous', 'anonymous'],
    ['s', 's'],
    ['*60', '*60'],
    ['sip:sales@pbx2', 'sip:sales@pbx2'],
    ['1-800-FLOWERS', '1-800-flowers'],
    ['', ''],
  ])('%s is %s', (written, key) => expect(lineKey(written)).toBe(key))

  it('is found in any notation, and by the last digits that a person typed', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 10 ** 9, max: 10 ** 12 }),
        fc.integer({ min: 4, max: 9 }),
        (digits, last) => {
          const number = `+${digits}`
          expect(isOfLine(number, `00${digits}`)).toBe(true)
          expect(isOfLine(number, `…${String(digits).slice(-last)}`)).toBe(true)
          expect(isOfLine(number, String(digits).slice(-last))).toBe(false)
          expect(isOfLine(number, `${digits}0`)).toBe(false)
        },
      ),
    )
  })

  it('has its name and its number as a label', () => {
    const names = new LineNames([{ number: '+493023125042', name: 'Sales Berlin' }])
    expect(names.getLabel('+1')).toBe('+1')
    expect(names.getDetail('+493023125042')).toBe('Sales Berlin · +493023125042')
  })
})
