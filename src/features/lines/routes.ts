import type { Services } from '../../services.ts'
import type { FeatureRoutes, Interaction } from '../../slack/routing/routes.ts'
import { ReadingCutError } from '../../telephony/errors.ts'
import type { Account } from '../../telephony/types.ts'
import { addDays } from '../../time/days.ts'
import type { Zone } from '../../time/types.ts'
import { localDay, offsetAt } from '../../time/zones.ts'
import type { Milliseconds } from '../../util/units.ts'
import { linesForm, linesModal, linesToName, readLines, savedModal } from './modal.ts'

const days = 30
/** More seldom tell of another number, and somebody waits. */
const mostCalls = 1000
const readForMs: Milliseconds = 5000

/** `/calls lines`: names for the account's own numbers. */
export function lines({ workspaces, telephony, audit, homeTab, now }: Services): FeatureRoutes {
  /** Those that incoming calls of late went to, as far as the newest ones tell. */
  async function numbersCalled(account: Account, zone: Zone): Promise<readonly string[]> {
    const at = new Date(now())
    const today = localDay(zone, at)
    const query = {
      direction: 'incoming',
      offset: offsetAt(zone, at),
      from: addDays(today, 1 - days),
      to: today,
    } as const
    const numbers = new Set<string>()
    const options = { budget: AbortSignal.timeout(readForMs), limit: mostCalls }
    try {
      for await (const { calls } of telephony.readCalls(account, [query], options))
        for (const { number } of calls) numbers.add(number)
    } catch (error) {
      // Those that were found by then will do.
      if (!(error instanceof ReadingCutError)) throw error
    }
    return [...numbers]
  }

  async function open({ actor, tenant, channel }: Interaction) {
    const [account, { zone }, names] = await Promise.all([
      workspaces.account(tenant),
      workspaces.zone(tenant, channel, actor.person),
      workspaces.lineNames(tenant),
    ])
    const [called, { addOns }] = await Promise.all([numbersCalled(account, zone), telephony.billing(account)])
    const billed = addOns.numbers.map(({ number }) => number)
    return linesModal(actor.team, channel, { numbers: linesToName(names, [...billed, ...called]), names })
  }

  return {
    commands: [{ command: 'calls', word: 'lines', needs: 'admin', openModal: open }],
    submissions: [
      {
        view: linesForm.id,
        needs: 'admin',
        async handle({ actor, tenant }, view) {
          const read = readLines(view)
          if ('errors' in read) return read
          await workspaces.nameLines(tenant, read.lines)
          await audit.record(actor, 'name lines', { detail: `${read.lines.length}` })
          homeTab.emit('outdated', actor)
          return { view: savedModal(read.lines.length) }
        },
      },
    ],
  }
}
