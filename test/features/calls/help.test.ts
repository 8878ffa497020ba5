import { describe, expect, it } from 'vitest'
import type { Message } from '../../../dev/slack/slack.ts'
import { useApp } from '../../support/app.ts'

type Rules = Readonly<Record<string, string>>

/** The commands that have a button, as typed. */
const offered = ({ blocks }: Message) =>
  [...JSON.stringify(blocks).matchAll(/"value":"(\/[^"]+)"/g)].map(([, command]) => command)
const all = '/callboard help all'

describe('help', () => {
  const app = useApp({ connected: true })
  const limit = async (rules: Rules) => {
    await app.admin.submit(await app.admin.open('/callboard access'), rules)
  }

  const first = ['/calls missed yesterday', '/calls open', '/calls report', '/agents']
  const ofBilling = ['/billing', '/billing post', '/billing schedules', '/calls timezone']
  const onlyBilling = { calls: 'admins', agents: 'admins', billing: 'everyone' }

  it.each<[string, 'admin' | 'member', Rules, string[]]>([
    ['an administrator', 'admin', {}, [...first, '/billing', '/callboard access']],
    ['a member without billing', 'member', {}, [...first, '/calls alerts', '/calls mine']],
    ['a member with billing', 'member', { billing: 'everyone' }, [...first, '/billing', '/calls alerts']],
    ['someone who only sees billing', 'member', onlyBilling, ofBilling],
    ['someone who sees nothing', 'member', { calls: 'admins', agents: 'admins' }, ['/calls timezone']],
  ])('offers %s what they may do first', async (_, who, rules, expected) => {
    await limit(rules)
    const help = await app[who].command('/callboard')
    expect(offered(help)).toEqual([...expected, all])
    const list = await app[who].click(help, 'command.all')
    for (const command of expected) expect(list).toShow(command)
  })

  it('lists only commands that the person may use', async () => {
    const { admin, member } = app
    const forAdmins = ['/callboard forget', '/billing post', '/calls export last month']
    expect(await admin.command('/callboard help all')).toShow(...forAdmins)
    await limit({ exports: 'admins' })
    const list = await member.command('/calls help all')
    expect(list).not.toShow(...forAdmins)
    expect(list).toShow('/calls report by:hour', 'last 7 days', 'from:DAY', 'shorter:30s')
    expect(list).toShow("The phone service doesn't record who called.")
    expect(await member.command('/calls missed')).not.toShow("doesn't record who called", 'Searched')
    await limit({ calls: 'admins', agents: 'admins' })
    const shown = await member.command('/calls help')
    expect(shown).toShow("can't see calls, agents or billing", 'manage Callboard here')
    expect(await member.command('/calls help all')).not.toShow('from:DAY', 'Find calls…')
  })
})

describe('help before an account is connected', () => {
  const app = useApp()

  it('lets administrators connect it, and tells others who can', async () => {
    const help = await app.admin.command('/callboard')
    expect(offered(help)).toEqual(['/callboard access', '/calls timezone', all])
    expect(await app.admin.open(help, 'setup.connect')).toShow('API key')
    const memberHelp = await app.member.command('/callboard')
    expect(memberHelp).toShow("isn't connected", 'Admins and owners of this workspace manage Callboard here.')
    expect(offered(memberHelp)).toEqual(['/calls timezone', all])
  })
})
