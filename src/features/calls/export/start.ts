import { randomUUID } from 'node:crypto'
import type { Services } from '../../../services.ts'
import { postDirectMessage } from '../../../slack/api/post-message.ts'
import type { Message } from '../../../slack/blocks/blocks.ts'
import { withTeam } from '../../../slack/blocks/message-team.ts'
import { type Answer, textAnswer } from '../../../slack/deliver/answer.ts'
import type { Interaction } from '../../../slack/routing/routes.ts'
import { EXPORT_KEPT_MS } from '../../../store/exports.ts'
import type { Zone } from '../../../time/types.ts'
import { localDay } from '../../../time/zones.ts'
import type { EpochMs } from '../../../util/units.ts'
import { type ListQuery, readQuery, withDays, writeQuery } from '../query.ts'
import { emptyText } from '../summary.ts'
import { type ExportQueue, mostAtATime, mostKept } from './queue.ts'
import { scanQueries, subjectOf, sumOf } from './subject.ts'
import {
  againButton,
  alreadyText,
  mostCalls,
  nothingText,
  startedAnswer,
  tooManyAnswer,
  tooManyWaitingAnswer,
  waitingMessage,
} from './words.ts'

/** In the order of their time. */
const newId = (at: EpochMs): string => `${String(at).padStart(15, '0')}-${randomUUID().slice(0, 8)}`

/**
 * Starts exports: what a person asks for becomes a message that says how far it is, and a job. The zone is that of the
 * conversation, unless it is said.
 */
export function exportStarter(
  services: Pick<Services, 'store' | 'workspaces' | 'telephony' | 'webApi' | 'now'>,
  queue: ExportQueue,
): (interaction: Interaction, query: ListQuery, zone?: Zone) => Promise<Answer | undefined> {
  const { store, workspaces, telephony, webApi, now } = services

  /** The direct message. @returns where it is @throws as `postDirectMessage` */
  const announce = ({ actor }: Interaction, message: Message) =>
    postDirectMessage(webApi, actor.installation.botToken, actor.person.id, withTeam(message, actor.team))

  return async (interaction, listed, zoneBefore) => {
    const { actor, tenant, channel } = interaction
    const { zone } = zoneBefore ? { zone: zoneBefore } : await workspaces.zone(tenant, channel, actor.person)
    const askedAt = now()
    const days = withDays(listed, localDay(zone, new Date(askedAt)))
    // Wherever it was started, the same calls are the same export.
    const query = writeQuery(readQuery(writeQuery({ ...days, openedFrom: undefined, page: 1 })))
    const listQuery = readQuery(query)
    const again = { query: listQuery, zone }
    const retry = againButton(again)
    interaction.fallback = { retry }
    const account = await workspaces.account(tenant)
    const asked = { query, zone, askedAt, total: undefined }
    const { request } = subjectOf(asked).exported
    interaction.fallback = { retry, request }
    const counts = await Promise.all(
      scanQueries(again, askedAt).map((counted) => telephony.count(account, counted)),
    )
    const total = sumOf(counts)
    const { exported } = subjectOf({ ...asked, total })
    if (total === 0) return textAnswer(nothingText(emptyText(listQuery)))
    if (total !== undefined && total > mostCalls) return tooManyAnswer(exported, total, listQuery)

    const kept = await store.exports.all(tenant)
    const isSame = (one: (typeof kept)[number]) =>
      one.person === actor.person.id && one.query === query && one.zone === zone && one.state !== 'sent'
    if (kept.some(isSame)) return textAnswer(alreadyText(exported))
    if (kept.length >= mostKept) return tooManyWaitingAnswer(again)
    const isInLine = kept.length >= mostAtATime
    const id = newId(askedAt)
    const message = await announce(interaction, waitingMessage(exported, isInLine, id))
    const of = { id, tenant: actor.team, person: actor.person.id, message, state: 'waiting' } as const
    await store.exports.set(tenant, id, { ...asked, total, ...of }, EXPORT_KEPT_MS)
    await queue.advance(tenant)
    // There the message itself is the answer.
    return message.channel === channel ? undefined : startedAnswer(exported, isInLine, total)
  }
}
