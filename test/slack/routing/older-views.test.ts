import { expect, it } from 'vitest'
import { useApp } from '../../support/app.ts'

const app = useApp({ connected: true })

it.each(['', '{"v":0,"team":"T0TEAM1"}'])(
  'apologizes for a modal with the metadata of another version, without logging an error: %s',
  async (metadata) => {
    const { member, admin, logs } = app
    const filter = await member.open(await member.command('/calls'), 'calls.filter')
    expect(await member.submit({ ...filter, private_metadata: metadata })).toShow("can't be used any more")
    const connect = await admin.open('/calls connect')
    const values = { key: 'k', secret: 's' }
    expect(await admin.submit({ ...connect, private_metadata: metadata }, values)).toShow(
      "can't be used any more",
    )
    const details = await admin.open(await admin.command('/agents hollis'), 'agents.details')
    await admin.press({ ...details, private_metadata: metadata }, 'agents.reveal')
    await app.logged('"interaction":"agents.reveal","outcome":"forged"')
    expect(logs.join('')).not.toMatch(/"outcome":"error"|an interaction failed|a listener failed/)
  },
)
