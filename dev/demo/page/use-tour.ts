import { useState } from 'preact/hooks'
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
  const [note, setNote] = useState<string>()
  return {
    /** What happened around the app with the last button. */
    note,
    hideNote: () => setNote(undefined),
    async run({ user, channel, service, missed, clock, lines }: TourAction): Promise<void> {
      uncover()
      setNote(undefined)
      become(user)
      goTo(channel)
      if (service !== undefined) await send({ kind: 'service', user, mode: service })
      if (missed !== undefined) setNote((await send({ kind: 'missed', user, count: missed })).note)
      if (clock !== undefined) await send({ kind: 'clock', user, channel, to: clock })
      if (lines.length > 0) propose({ channel, text: '' })
      for (const text of lines) await send({ kind: 'write', user, channel, text })
    },
    async startOver(): Promise<void> {
      const { proposal } = await startOver()
      setNote(undefined)
      become('')
      goTo('')
      propose(proposal)
      uncover()
    },
  }
}
