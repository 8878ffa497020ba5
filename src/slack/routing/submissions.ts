import type { SlackViewMiddlewareArgs, types, ViewResponseAction } from '@slack/bolt'
import type { Log } from '../../log.ts'
import { tenantKey } from '../../store/tenant.ts'
import type { Milliseconds } from '../../util/units.ts'
import { timedOut, withTimeout } from '../../util/with-timeout.ts'
import type { Installation } from '../api/installations.ts'
import { readOrigin } from '../blocks/values.ts'
import type { Answer, Tell } from '../deliver/answer.ts'
import type { ClickPlace } from '../deliver/clicks.ts'
import { type Modals, noticeModal } from '../deliver/modals.ts'
import type { Replies } from '../deliver/replies.ts'
import { inMessagesText, onItsWayText } from '../deliver/replies.ts'
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
const answerOf =
  (interaction: InteractionRun, result: MessageAnswer) =>
  (tell: Tell): Promise<Answer | undefined> => {
    interaction.tell = tell
    return result.answer().catch((error: unknown) => interaction.apologize(error))
  }

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
      if (route.slow && (await withTimeout(work, acknowledgeWithinMs)) === timedOut) {
        const { installation } = own.actor
        const show = async (later: types.ModalView, beside?: MessageAnswer) => {
          await modals.update(installation, view.id, later)
          if (beside) await answerOnMessage(origin, beside.place, answerOf(interaction, beside))
        }
        return meanwhile(route.slow, work, show)
      }
      const result = await work
      if ('view' in result && result.beside) {
        const { beside } = result
        const afterwards = () => answerOnMessage(origin, beside.place, answerOf(interaction, beside))
        return { ...result, afterwards }
      }
      if (!('place' in result)) return result
      const answer = answerOf(interaction, result)
      if (result.place.responseUrl === undefined)
        return inMessages(interaction, origin, view, own.actor.installation, answer)
      return { ...result, afterwards: () => answerOnMessage(origin, result.place, answer) }
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

  /** The form that the home tab opened says what becomes of its answer. */
  function inMessages(
    interaction: InteractionRun,
    { team, userId }: Origin,
    view: ViewPayload,
    installation: Installation,
    answer: (tell: Tell) => Promise<Answer | undefined>,
  ): Result {
    const deliver = async () => {
      try {
        await replies.direct(answer, { team, userId, token: async () => installation.botToken })
        return inMessagesText
      } catch (error) {
        return interaction.apologize(error).message.text
      }
    }
    return {
      view: noticeModal(onItsWayText),
      afterwards: async () => modals.update(installation, view.id, noticeModal(await deliver())),
    }
  }

  /** As a click on the message would be answered that the modal was opened from. */
  async function answerOnMessage(
    { team, channel, userId: user }: Origin,
    place: ClickPlace,
    answer: (tell: Tell) => Promise<Answer | undefined>,
  ): Promise<void> {
    await replies.click({ ...place, team, tenant: tenantKey(team), channel, user }, answer)
  }
}
