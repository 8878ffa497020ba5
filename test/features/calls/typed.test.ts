import { describe, expect, it } from 'vitest'
import { useApp } from '../../support/app.ts'
import { createSlackbot } from '../slackbot/slackbot.ts'

describe('a sentence in plain words', () => {
  const app = useApp({ connected: true })

  /** Sentences without `/calls`, and what the answer shows. */
  const sentences: Readonly<Record<string, readonly string[]>> = {
    'missed this morning': ['issed call', ' from 00:00 to 12:00'],
    'outgoing yesterday evening': ['utgoing call', ' from 18:00 to 24:00'],
    'last week hours:morning': ['ncoming call', ' from 00:00 to 12:00'],
    'missed this evening by agent': ['Missed calls from 18:00 to 24:00 · by agent'],
    'report november': ['November', 'Incoming calls · by line'],
    'report november 2025': ['No incoming calls during 1–30 Nov 2025', ' · by line'],
    'outgoing in december 2025': ['utgoing call', '1–31 Dec 2025'],
    'last month vs this month': ['Incoming calls · by line'],
    'compare this week with last week': ['Incoming calls · by line'],
    'report missed november 2025 versus november 2024': ['No missed calls during 1–30 Nov 2025', ' · by '],
    'compare nov 2025 and oct 2025': ['during 1–30 Nov 2025', ' · by line'],
    'compare last month': ['Incoming calls · by line', 'ompare'],
    'per weekday': ['Incoming calls · by weekday'],
    'stats last week': [' · by line'],
    my: ['Which agent are you?'],
    'my missed calls': ['Which agent are you?'],
    'report mine': ['Which agent are you?'],
    taken: ['No taken calls'],
    'who took what': ['Incoming calls · by person'],
    '1.11.25..26.11.25': ['1–26 Nov 2025'],
    'missed 5/11/2025': ['5/11/2025', '5 Nov 2025', '11 May 2025'],
    'export from:5/11/2025': ['5 Nov 2025', '11 May 2025'],
    'to +44 20 7946 0224': ['all', ' to +44 20 7946 0224'],
    'outgoing to 0224': ['utgoing call', ' to numbers with 0224'],
    'missed calls yesterday': ['issed call'],
    'callbacks yesterday': ['unreached number', ' yesterday'],
    'call back': ['unreached number', ' today'],
    'unreached xyzzy yesterday': ['xyzzy', 'Unreached numbers'],
    'report xyzzy last month': ['xyzzy', 'Filter the report…'],
    'time zone': ['This conversation uses Europe/Berlin'],
    'tz paris': ['This conversation now uses Europe/Paris'],
    'timezone Berlni': ['I understood "Berlni" as Europe/Berlin.', 'now uses Europe/Berlin'],
    'export november 2024': ['Nothing to export. No incoming calls during 1–30 Nov 2024.'],
    'zoe muller': ['Zoë Müller: '],
    'april jones': ['April Jones: ', 'ncoming calls', 'All dates'],
    'missed jones april 2026': ['April Jones: ', ' Apr 2026'],
    'theresa may': ['Theresa May: ', 'ncoming calls', 'All dates'],
    'theresa may 2026': ['Theresa May: ', ' May 2026'],
  }

  it.each(Object.entries(sentences))('%s', async (sentence, parts) => {
    const [first, ...others] = app.sandbox.accounts.lively.agents
    const april = { ...first, id: '2', name: 'April Jones' }
    const theresa = { ...first, id: '3', name: 'Theresa May' }
    const agents = [{ ...first, name: 'Zoë Müller' }, april, theresa, ...others]
    Object.assign(app.sandbox.accounts.lively, { agents })
    expect(await app.member.command(`/calls ${sentence}`)).toShow(...parts)
  })

  it('opens the audit log for administrators', async () => {
    expect(await app.admin.command('/calls audit')).toShow('Audit log')
  })

  it('lists the day that the person chose for 5/11', async () => {
    const question = await app.member.command('/calls missed 5/11/2025')
    expect(await app.member.click(question, 'command.meaning-1')).toShow('issed calls', '11 May 2025')
  })

  it('is understood in the arguments of Slackbot', async () => {
    const slackbot = await createSlackbot(app)
    const ask = async (tool: string, args: object) => (await slackbot.call(tool, args, app.member.user)).text
    const missed = await ask('list_calls', { status: 'unanswered', range: 'in november 2025' })
    expect(missed).toContain('> Missed calls, 1–30 Nov 2025\n')
    const outgoing = await ask('list_calls', { direction: 'out', range: 'yesterday evening' })
    expect(outgoing).toContain('> Outgoing calls from 18:00 to 24:00 yesterday\n')
    expect(await ask('list_calls', { range: '5/11/2025' })).toContain('5 Nov 2025 or 11 May 2025?')
    const report = await ask('report_calls', { range: 'last month vs this month', by: 'agents' })
    expect(report).toContain('by agent')
    for (const { name } of app.sandbox.accounts.lively.agents.slice(0, 5))
      expect(await ask('list_calls', { agent: 'me' })).toContain(`"${name}"`)
  })
})
