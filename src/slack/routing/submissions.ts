import type { types, ViewResponseAction } from '@slack/bolt'
import type { z } from 'zod'
import { tenantKey } from '../../store/tenant.ts'
import { timedOut, withTimeout } from '../../util/promises.ts'
import type { Milliseconds } from '../../util/units.ts'
import { readOrigin } from '../blocks/values.ts'
import type { Answer, MakeAnswer } from '../deliver/answer.ts'
import { type Modals, noticeModal, onItsWayModal, waitingText } from '../deliver/modals.ts'
import type { Replies } from '../deliver/replies.ts'
import { type ViewPayload, viewSubmissionPayload } from '../inbound/payloads.ts'
import type { Kind } from './interactions.ts'
import type { SubmissionResult, SubmissionRoute } from './routes.ts'

/** How long a submission may take and still be answered in the acknowledgement; Slack waits for 3 s. */
const acknowledgeWithinMs: Milliseconds = 2000

type Outcome = SubmissionResult | { readonly apology: Answer }

const inItsPlace = (view: types.ModalView): ViewResponseAction => ({ response_action: 'update', view })

function acknowledgement(outcome: Outcome): ViewResponseAction | undefined {
  if ('apology' in outcome) return inItsPlace(noticeModal(outcome.apology.message.text))
  if ('errors' in outcome) return { response_action: 'errors', errors: { ...outcome.errors } }
  return 'view' in outcome ? inItsPlace(outcome.view) : undefined
}

/** What an outcome shows in place of the modal that asked for patience: no input can have an error below it any more. */
function lateView(outcome: Outcome, title: string): types.ModalView {
  if ('view' in outcome) return outcome.view
  if ('apology' in outcome) return noticeModal(outcome.apology.message.text, { title })
  const text =
    'errors' in outcome
      ? Object.values(outcome.errors).join('\n')
      : 'Done. The answer is where you opened this.'
  return noticeModal(text, { title })
}

/** Below the first field of a modal: Slack would not show what it comes to. */
const outdated = ({ state }: ViewPayload): Outcome => ({
  errors: {
    [Object.keys(state?.values ?? {})[0] ?? '']:
      'This form was opened about half an hour ago, so Slack no longer shows what comes of it. Close it and open it again.',
  },
})

/** Modals that are submitted. One whose outcome takes longer than its acknowledgement may says so in its own place. */
export function submissionKind(
  routes: readonly SubmissionRoute[],
  { replies, modals }: { readonly replies: Replies; readonly modals: Modals },
): Kind<z.infer<typeof viewSubmissionPayload>, SubmissionRoute, ViewResponseAction> {
  return {
    what: 'submission',
    schema: viewSubmissionPayload,
    acknowledged: {},
    find({ view: { callback_id: id } }) {
      const route = routes.find((one) => one.view === id)
      return { name: route ? `view ${id}` : id, route }
    },
    origin: ({ user, view }) => ({ ...readOrigin(view), userId: user.id }),
    async answer({ payload: { view }, route, origin, run, ack }) {
      const { team, channel, userId: user } = origin
      const { needs, waiting = waitingText } = route
      const title = view.title?.text ?? 'Callboard'
      const working = run
        .admit(origin, needs)
        .then((interaction) => route.handle(interaction, view))
        .catch((error: unknown): Outcome => ({ apology: run.apologize(error) }))
      const isLate = (await withTimeout(working, acknowledgeWithinMs)) === timedOut
      if (isLate) await ack(inItsPlace(noticeModal(waiting, { title })))
      const outcome = await working
      const onMessage = 'view' in outcome ? outcome.beside : 'place' in outcome ? outcome : undefined
      // The form that the home tab opened says what becomes of its answer.
      const isDirect = 'place' in outcome && outcome.place.responseUrl === undefined
      const isAnswerable = onMessage !== undefined && replies.isAnswerable(onMessage.place)
      const isOutdated = 'place' in outcome && !isDirect && !isAnswerable
      const shown = isDirect ? { view: onItsWayModal } : isOutdated ? outdated(view) : outcome
      const update = async (next: types.ModalView) =>
        modals.tryUpdate(await run.installation(team), view.id, next)
      if (isLate) await update(lateView(shown, title))
      else await ack(acknowledgement(shown))
      const make: MakeAnswer = (onProgress) => run.answer(async () => onMessage?.answer(), onProgress)
      if (isDirect) await update(await run.answerDirectly(replies, origin, make))
      if (!isAnswerable) return
      const click = { ...onMessage.place, team, tenant: tenantKey(team), channel, user }
      await replies.click(click, make, { isBelow: onMessage.isBelow === true })
    },
    refuse: (apology, _, ack) => ack(acknowledgement({ apology })),
  }
}
