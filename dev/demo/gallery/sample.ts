import type { types } from '@slack/bolt'
import type { Message } from '../../../src/slack/blocks/blocks.ts'
import { type Answer, textAnswer } from '../../../src/slack/deliver/answer.ts'
import { noticeModal } from '../../../src/slack/deliver/modals.ts'
import type { SlowTexts } from '../../../src/slack/routing/routes.ts'

/** Something that Callboard can show, by its kind. */
export type SampleBody =
  | { readonly kind: 'message'; readonly body: Message }
  /** `errors`: what stands under its fields, by block_id. */
  | {
      readonly kind: 'modal'
      readonly body: types.ModalView
      readonly errors?: Readonly<Record<string, string>>
    }
  | { readonly kind: 'home'; readonly body: types.HomeView }
  /** A whole page of HTML. */
  | { readonly kind: 'page'; readonly body: string }

/** What one feature shows, each under a short name. */
export type FeatureSample = SampleBody & { readonly name: string }

export const message = (name: string, body: Message): FeatureSample => ({ name, kind: 'message', body })

export const text = (name: string, mrkdwn: string): FeatureSample => message(name, textAnswer(mrkdwn).message)

/** An answer with a table, and the same for where Slack refuses tables. */
export const withAndWithoutTable = (name: string, answer: Answer): FeatureSample[] => {
  const lines = firstWithout('table', answer)
  return [message(name, answer.message), ...(lines ? [message(`${name}, as lines of text`, lines)] : [])]
}

/** The best form of an answer that Slack takes where it refuses blocks of that type. */
export const firstWithout = (type: string, { otherwise = [] }: Answer): Message | undefined =>
  otherwise.map((form) => form()).find(({ blocks = [] }) => !blocks.some((block) => block.type === type))

export const modal = (
  name: string,
  body: types.ModalView,
  errors?: Readonly<Record<string, string>>,
): FeatureSample => ({ name, kind: 'modal', body, ...(errors ? { errors } : {}) })

/** As an admin sees it and as a member does, or once where both see the same. */
export function forBoth(
  name: string,
  sampleFor: (name: string, isAdmin: boolean) => FeatureSample,
): FeatureSample[] {
  const [admin, member] = [sampleFor(name, true), sampleFor(name, false)]
  if (JSON.stringify(admin) === JSON.stringify(member)) return [admin]
  return [
    { ...admin, name: `${name}, to an admin` },
    { ...member, name: `${name}, to a member` },
  ]
}

/** What a submission that takes its time shows meanwhile, and where it fails then. */
export const slowModals = (name: string, { title, waiting, close, failed }: SlowTexts): FeatureSample[] => [
  modal(name, noticeModal(waiting, { title, ...(close ? { close } : {}) })),
  modal(`${name}, and it fails on our side`, noticeModal(failed, { title })),
]
