import { randomUUID } from 'node:crypto'
import type { Services } from '../../services.ts'
import type { Actor } from '../../slack/access/guards.ts'
import { askedAtATime } from '../../slack/access/people.ts'
import { FileRefusedError } from '../../slack/api/files.ts'
import { type Answer, textAnswer } from '../../slack/deliver/answer.ts'
import { fileRefusal } from '../../slack/deliver/failures.ts'
import { bind, type FeatureRoutes, type Interaction } from '../../slack/routing/routes.ts'
import type { AuditEntry } from '../../store/audit.ts'
import { localDay } from '../../time/zones.ts'
import { several } from '../../util/promises.ts'
import { auditActions } from './actions.ts'
import {
  auditCsv,
  auditExportMessage,
  auditMessage,
  auditRange,
  entryCount,
  exportedText,
} from './audit-view.ts'

/** Slack is asked for the names of so many people at most: the id stands for the others. */
const mostNames = 100

/** `/billing audit`: who did what, in pages and as a file. */
export function auditLog({
  config,
  store,
  workspaces,
  people,
  files,
  audit,
  log,
  now,
}: Services): FeatureRoutes {
  const { oauth } = config.slack
  const installUrl = oauth && `${oauth.publicUrl}/slack/install`

  async function show({ actor, tenant, channel }: Interaction, page: number): Promise<Answer> {
    const [{ zone }, entries] = await Promise.all([
      workspaces.zone(tenant, channel, actor.person),
      store.audit.latest(tenant, auditRange(page)),
    ])
    const nonce = randomUUID().slice(0, 8)
    return { message: auditMessage(entries, { page, zone, now: new Date(now()), nonce }) }
  }

  /** The names that Slack tells; once it doesn't, no more are asked for. */
  async function namesOf(entries: readonly AuditEntry[], { installation, team }: Actor) {
    const ids = [...new Set(entries.map(({ who }) => who))].slice(0, mostNames)
    const names = new Map<string, string>()
    try {
      await several(ids, askedAtATime, async (id) => {
        const { name } = await people.find(installation, team, id)
        if (name !== id) names.set(id, name)
      })
    } catch (error) {
      log.warn({ err: error }, 'the names of people are missing in an export of the audit log')
    }
    return names
  }

  async function sendFile(interaction: Interaction): Promise<Answer> {
    const { actor, tenant, channel } = interaction
    interaction.fallback = { retry: auditActions.export.button('Try again') }
    const [{ zone }, entries] = await Promise.all([
      workspaces.zone(tenant, channel, actor.person),
      store.audit.all(tenant),
    ])
    if (entries.length === 0) return show(interaction, 1)
    const names = await namesOf(entries, actor)
    const content = await auditCsv(entries, { zone, nameOf: (id) => names.get(id) ?? '' })
    const name = `audit-log-${localDay(zone, new Date(now()))}.csv`
    const { botToken } = actor.installation
    const message = auditExportMessage(entries, zone, new Date(now()))
    try {
      await files.send(botToken, actor.person.id, message, { name, bytes: content.length, content })
    } catch (error) {
      if (!(error instanceof FileRefusedError)) throw error
      log.warn({ code: error.code }, 'Slack takes no file')
      return textAnswer(fileRefusal(error.code, installUrl))
    }
    await audit.record(actor, 'export audit log', entryCount(entries.length))
    return textAnswer(exportedText(entries.length))
  }

  return {
    commands: [
      { command: 'billing', word: 'audit', needs: 'admin', handle: (interaction) => show(interaction, 1) },
    ],
    actions: bind(auditActions, {
      page: { needs: 'admin', handle: (interaction, { page }) => show(interaction, page) },
      export: { needs: 'admin', answersBelow: true, handle: sendFile },
    }),
  }
}
