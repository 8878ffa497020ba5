import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { wrapLinks } from '../../../dev/slack/actions/command-text.ts'
import { commandWords } from '../../../src/slack/routing/commands.ts'
import { useApp } from '../../support/app.ts'

describe('links, addresses and numbers that Slack wraps', () => {
  const app = useApp({ connected: true })

  it('are searched as typed', async () => {
    const { member, sandbox } = app
    const address = wrapLinks('anna@example.com')
    expect(await member.command(`/agents ${address}`)).toShow('No agent matches "anna@example.com"')
    sandbox.faults.next({ kind: 'set', record: { name: 'anna@example.com' } }, { operation: 'agents' })
    app.clock.ahead += 120_000
    expect(await member.command(`/calls agent:${address}`)).toShow('agents match "anna@example.com"')
    expect(await member.command(`/calls number:${wrapLinks('+49 30 1234567')}`)).toShow('+49 30 1234567')
  })
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
    fc.assert(
      fc.property(fc.array(typed, { maxLength: 12 }), (parts) => {
        const text = parts.join('')
        expect(commandWords(wrapLinks(text))).toEqual(commandWords(escaped(text)))
      }),
      { numRuns: 1000 },
    )
  })

  it("keep Slack's names of channels, people and groups", () => {
    const text =
      '<#C0FINANCE|finance> <@U0ANNA|anna> <!subteam^S1|team> <tel:112> <mailto:a@b.com> &lt;#C0BOARD|board&gt; &lt;#C0BOARD&gt;'
    expect(commandWords(text).map(({ value }) => value)).toEqual([
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
