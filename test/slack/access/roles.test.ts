import { describe, expect, it } from 'vitest'
import type { Actor } from '../../../dev/slack/slack.ts'
import { minuteMs } from '../../../src/util/units.ts'
import { useApp } from '../../support/app.ts'

const app = useApp({ connected: true })

const asked = ({ user }: Actor) =>
  app.slack.callsTo('users.info').filter(({ args }) => args['user'] === user.id).length

describe('a role that Slack takes away', () => {
  it('ends access to billing at once', async () => {
    // Not the person who connected the account, who always sees billing.
    const owner = app.slack.as(app.slack.people.owner)
    await app.admin.submit(await app.admin.open('/callboard access'), { calls: 'admins' })
    expect(await owner.command('/calls')).toShow('Page 1 of')
    const shown = await owner.command('/billing')
    expect(shown).toShow('Business Plus')
    Object.assign(owner.user, { is_admin: false, is_owner: false, is_primary_owner: false })
    expect(await owner.command('/billing')).toShow("You don't have access to billing")
    expect(await owner.click(shown, 'command.post')).toShow("You don't have access to billing")
    // The roles that were read for billing replace the cached ones.
    expect(await owner.command('/calls')).toShow("You don't have access to calls")
  })

  it('ends the admin part of the Home tab at once', async () => {
    const { admin, slack } = app
    expect(await admin.openHome()).toShow('For administrators')
    admin.user.is_admin = false
    await admin.command('/calls timezone Asia/Tokyo')
    await expect.poll(() => slack.home(admin.user)).not.toShow('For administrators')
  })

  it('ends everything else within a minute', async () => {
    const { member, clock } = app
    expect(await member.command('/calls')).toShow('Page 1 of')
    const before = asked(member)
    expect(await member.command('/calls')).toShow('Page 1 of')
    expect(asked(member)).toBe(before)
    member.user.deleted = true
    clock.ahead += minuteMs
    expect(await member.command('/calls')).toShow('full members')
    expect(asked(member)).toBe(before + 1)
  })
})
