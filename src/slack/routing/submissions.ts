import type { SlackViewMiddlewareArgs, types, ViewResponseAction } from '@slack/bolt'
import type { Log } from '../../log.ts'
import { tenantKey } from '../../store/tenant.ts'
import type { Milliseconds } from '../../util/units.ts'
import { timedOut, withTimeout } from '../../util/with-timeout.ts'
import { readOrigin } from '../blocks/values.ts'
import type { MakeAnswer } from '../deliver/answer.ts'
import type { Click } from '../deliver/clicks.ts'
import { type Modals, noticeModal, onItsWayModal } from '../deliver/modals.ts'
import type { Replies } from '../deliver/replies.ts'
import { parsePayload, type ViewPayload, viewSubmissionPayload } from '../inbound/payloads.ts'
import type { InteractionRun, Interactions, Origin } from './interactions.ts'
import type { MessageAnswer, SlowTexts, SubmissionResult, SubmissionRoute } from './routes.ts'

/** How long a submission may take and still be answered in the acknowledgement; Slack waits for 3 s. */
const acknowledgeWithinMs: Milliseconds = 2000

/** With what may be left to do after the acknowledgement. */
type Result = SubmissionResult & { readonly afterwards?: () => Promise<void> }

function acknowledgement(result: SubmissionResult): ViewResponseAction | undefined {
  if ('errors' in result) return { response_action: 'errors', errors: { ...result.errors } }
  return 'view' in result ? { response_action: 'update', view: result.view } : undefined
}

/** What a result shows where no input can have an error below it any more. */
function viewOf(result: SubmissionResult, title: string): types.ModalView {
  if ('view' in result) return result.view
  return noticeModal('errors' in result ? Object.values(result.errors).join('\n') : 'Done.', { title })
}

/** Rejects never. */
const makerOf =
  (interaction: InteractionRun, { answer }: MessageAnswer): MakeAnswer =>
  (onProgress) => {
    interaction.onProgress = onProgress
    return answer().catch((error: unknown) => interaction.apologize(error))
  }

/** As a click on the message would be that the modal was opened from. */
const clickOf = ({ team, channel, userId: user }: Origin, { place }: MessageAnswer): Click => ({
  ...place,
  team,
  tenant: tenantKey(team),
  channel,
  user,
})

/** Below the first field of a modal: Slack would not show what it comes to. */
const outdated = ({ state }: ViewPayload) => ({
  errors: {
    [Object.keys(state?.values ?? {})[0] ?? '']:
      'This form was opened about half an hour ago, so Slack no longer shows what comes of it. Close it and open it again.',
  },
})

/** Answers modals that are submitted. */
export function submissionHandler(
  routes: readonly SubmissionRoute[],
  services: { interactions: Interactions; replies: Replies; modals: Modals; log: Log },
) {
  const { interactions, replies, modals, log } = services

  return async ({ body, ack }: SlackViewMiddlewareArgs): Promise<void> => {
    const { user, view } = parsePayload(viewSubmissionPayload, body, 'view')
    const route = routes.find((one) => one.view === view.callback_id)
    if (!route) {
      log.warn({ view: view.callback_id.slice(0, 100) }, 'a submission has no route')
      return ack()
    }
    await interactions.run(`view ${route.view}`, async (interaction) => {
      const result = await attempt(interaction, user.id, route, view)
      await ack(acknowledgement(result))
      await result.afterwards?.()
    })
  }

  /** Rejects never: what goes wrong becomes an apology, in the modal's place. */
  async function attempt(
    interaction: InteractionRun,
    userId: string,
    route: SubmissionRoute,
    view: ViewPayload,
  ): Promise<Result> {
    try {
      const origin = { ...readOrigin(view), userId }
      const own = await interaction.admit(origin, route.needs)
      const work = route.handle(own, view)
      const update = (later: types.ModalView) => modals.update(own.actor.installation, view.id, later)
      const answerOnMessage = async (answer: MessageAnswer | undefined) => {
        if (answer && replies.isAnswerable(answer.place))
          await replies.click(clickOf(origin, answer), makerOf(interaction, answer))
      }
      if (route.slow && (await withTimeout(work, acknowledgeWithinMs)) === timedOut)
        return meanwhile(route.slow, work, async (later, beside) => {
          await update(later)
          await answerOnMessage(beside)
        })
      const result = await work
      if ('errors' in result) return result
      if ('view' in result) return { ...result, afterwards: () => answerOnMessage(result.beside) }
      if (result.place.responseUrl === undefined) {
        // The form that the home tab opened says what becomes of its answer.
        const answering = () => interaction.answerDirectly(replies, origin, makerOf(interaction, result))
        return { view: onItsWayModal, afterwards: async () => update(await answering()) }
      }
      if (!replies.isAnswerable(result.place)) return outdated(view)
      return { ...result, afterwards: () => answerOnMessage(result) }
    } catch (error) {
      return { view: noticeModal(interaction.apologize(error).message.text) }
    }
  }

  /** A view that asks for patience, and turns into what the work comes to. */
  function meanwhile(
    { title, close, ...texts }: SlowTexts,
    work: Promise<SubmissionResult>,
    show: (view: types.ModalView, beside?: MessageAnswer) => Promise<void>,
  ): Result {
    const failed = (error: unknown) => {
      log.error({ err: error }, texts.note)
      return { view: noticeModal(texts.failed, { title }), beside: undefined }
    }
    const finished = work.then((result) => {
      return { view: viewOf(result, title), beside: 'view' in result ? result.beside : undefined }
    }, failed)
    return {
      view: noticeModal(texts.waiting, { title, close }),
      async afterwards() {
        const { view, beside } = await finished
        await show(view, beside)
      },
    }
  }
}
