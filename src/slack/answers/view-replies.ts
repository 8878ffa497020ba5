import type { Guards } from '../access/guards.ts'
import type { ViewPayload } from '../inbound/payloads.ts'
import type { Origin } from '../routing/interactions.ts'
import { type Modals, noticeModal } from './modals.ts'
import type { Answer } from './table-support.ts'

/**
 * A click in a modal or on the home tab has no message to answer on: what there is to say is said in a modal. Where it is
 * certain that there will be something, the home tab's modal opens before it is known, while the trigger lives.
 * @param work rejects never
 */
export type TellInView = (
  view: ViewPayload,
  origin: Origin & { readonly triggerId: string },
  work: Promise<Answer | undefined>,
  options: { readonly isCertain: boolean },
) => Promise<void>

export function createTellInView({ guards, modals }: { guards: Guards; modals: Modals }): TellInView {
  return async ({ id, type }, { tenant, triggerId }, work, { isCertain }) => {
    const installation = () => guards.installation(tenant)
    const openLater = async (view: Promise<Answer | undefined>) => {
      const notice = view.then((answer) => noticeModal(answer?.message.text ?? 'Done.'))
      await modals.open({ installation, triggerId }, notice, () => 'Something went wrong.')
    }
    if (type !== 'modal' && isCertain) return openLater(work)
    const answer = await work
    if (!answer) return
    if (type !== 'modal') return openLater(Promise.resolve(answer))
    await modals.update(await installation(), id, noticeModal(answer.message.text))
  }
}
