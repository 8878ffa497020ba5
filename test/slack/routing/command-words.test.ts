import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { wrapLinks } from '../../../dev/slack/actions/command-text.ts'
import { parseCommandText } from '../../../src/slack/routing/commands.ts'
import { useApp } from '../../support/app.ts'
import { forRuns } from '../../support/properties.ts'

const app = useApp({ connected: true })

it('searches links, addresses and numbers that Slack wraps as they were typed', async () => {
  const { member, sandbox } = app
  const address = wrapLinks('anna@example.com')
  expect(await member.command(`/agents ${address}`)).toShow('No agent matches "anna@example.com"')
  sandbox.faults.next({ kind: 'set', record: { name: 'anna@example.com' } }, { operation: 'agents' })
  app.clock.ahead += 120_000
  expect(await member.command(`/calls agent:${address}`)).toShow('agents match "anna@example.com"')
  expect(await member.command(`/calls number:${wrapLinks('+49 30 1234567')}`)).toShow('+49 30 1234567')
})

describe('the words of a command that Slack escaped', () => {
  const typed = fc.oneof(
    fc.constantFrom(' ', '"', 'agent:', 'missed', '&', '<', '>', '|', '<b|c>', 'a@b', '://', '.com', '+49'),
    fc.constantFrom('anna@example.com', 'https://example.com/a?b&c|d', 'example.org', '+49 30 123-4567'),
    fc.emailAddress(),
    fc.webUrl({ withQueryParameters: true, withFragments: true }),
    fc.string({ maxLength: 6 }),
  )

  it('are parsed like the typed words', () => {
    const escaped = (text: string) =>
      text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
    forRuns(1000, fc.array(typed, { maxLength: 12 }), (parts) => {
      const text = parts.join('')
      expect(parseCommandText(wrapLinks(text))).toEqual(parseCommandText(escaped(text)))
    })
  })

  it("keep Slack's names of channels, people and groups", () => {
    const text =
      '<#C0FINANCE|finance> <@U0ANNA|anna> <!subteam^S1|team> <tel:112> <mailto:a@b.com> &lt;#C0BOARD|board&gt; &lt;#C0BOARD&gt;'
    expect(parseCommandText(text).map(({ value }) => value)).toEqual([
      '<#C0FINANCE|finance>',
      '<@U0ANNA|anna>',
      '<!subteam^S1|team>',
      '112',
      'a@b.com',
      // Typed, they mention nothing.
      '#C0BOARD|board',
      '#C0BOARD',
    ])
  })
})

describe('command length limits', () => {
  it.each([
    ['/calls', 'a '.repeat(6000)],
    ['/callboard', `calls ${'x'.repeat(995)}`],
    ['/calls', `missed ${'a '.repeat(50)}`],
    ['/agents', 'anna '.repeat(51)],
  ])('%s: says how long it may be without a service request', async (command, text) => {
    app.sandbox.requests.clear()
    expect(await app.member.command(`${command} ${text}`)).toShow('up to 1,000 characters and 50 words')
    expect(app.sandbox.requests.count()).toBe(0)
  })

  it('accepts 50 words and 1,000 characters', async () => {
    expect(await app.member.command(`/calls ${'a '.repeat(50)}`)).toShow('I didn\'t understand "a a a')
    const text = `agent:"${'&amp;'.repeat(198)}ab"`
    expect(text).toHaveLength(1000)
    expect(await app.member.command(`/calls ${text}`)).toShow('No agent matches')
  })
})
