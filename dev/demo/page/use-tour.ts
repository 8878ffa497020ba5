import type { Proposal, TourAction } from '../api-types.ts'
import { send, startOver } from './api.ts'

/** The tour's buttons: they make one somebody, somewhere, and type there. */
export function useTour(page: {
  readonly become: (user: string) => void
  readonly goTo: (place: string) => void
  /** Writes into the message box. */
  readonly propose: (proposal: Proposal | undefined) => void
  /** Before anything else: what lies over the page makes way. */
  readonly uncover: () => void
}) {
  const { become, goTo, propose, uncover } = page
  return {
    async run({ user, channel, service, missed, clock, lines }: TourAction): Promise<void> {
      uncover()
      become(user)
      goTo(channel)
      if (service !== undefined) await send({ kind: 'service', user, mode: service })
      if (missed !== undefined) await send({ kind: 'missed', user, count: missed })
      if (clock !== undefined) await send({ kind: 'clock', user, channel, to: clock })
      if (lines.length > 0) propose({ channel, text: '' })
      for (const text of lines) await send({ kind: 'write', user, channel, text })
    },
    async startOver(): Promise<void> {
      const { proposal } = await startOver()
      become('')
      goTo('')
      propose(proposal)
      uncover()
    },
  }
}
