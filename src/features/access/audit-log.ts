import { randomUUID } from 'node:crypto'
import type { Services } from '../../services.ts'
import type { Actor } from '../../slack/access/guards.ts'
import { askedAtATime } from '../../slack/access/people.ts'
import { type Answer, textAnswer } from '../../slack/deliver/answer.ts'
import { bind, type CommandRoute, type FeatureRoutes, type Interaction } from '../../slack/routing/routes.ts'
import type { AuditEntry } from '../../store/audit.ts'
import { localDay } from '../../time/zones.ts'
import { several } from '../../util/promises.ts'
import {
  AUDIT_PAGE_SIZE,
  auditActions,
  auditFileMessage,
  auditMessage,
  countEntries,
  writeAuditCsv,
} from './audit-view.ts'

/** People whose names are requested for a file; the others only have an id there. */
const MAX_NAMES = 100

/** `/callboard audit`: who changed what, in pages and as a file. */
export function auditLog({ store, workspaces, people, files, audit, log, now }: Services): FeatureRoutes {
  async function show({ actor, tenant, channel }: Interaction, page: number): Promise<Answer> {
    const [{ zone }, entries] = await Promise.all([
      workspaces.zone(tenant, channel, actor.person),
      store.audit.latest(tenant, { skip: (page - 1) * AUDIT_PAGE_SIZE, limit: AUDIT_PAGE_SIZE + 1 }),
    ])
    const nonce = randomUUID().slice(0, 8)
    return { message: auditMessage(entries, { page, zone, now: new Date(now()), nonce }) }
  }

  /** Returns the names that Slack knows; stops at its first failure. */
  async function findNames(entries: readonly AuditEntry[], { installation, team }: Actor) {
    const ids = [...new Set(entries.map(({ who }) => who))].slice(0, MAX_NAMES)
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
    const content = await writeAuditCsv(entries, { zone, names: await findNames(entries, actor) })
    const at = new Date(now())
    const file = { name: `audit-log-${localDay(zone, at)}.csv`, bytes: content.length, content }
    const { installation, person } = actor
    await files.send(installation.botToken, person.id, auditFileMessage(entries, zone, at), file)
    const count = countEntries(entries.length)
    await audit.record(actor, 'export audit log', { detail: count })
    return textAnswer(`Sent the audit log as a CSV file (${count}) in a direct message from Callboard.`)
  }

  return {
    commands: ['callboard', 'billing'].map((command): CommandRoute => {
      return { command, word: 'audit', needs: 'admin', handle: (interaction) => show(interaction, 1) }
    }),
    actions: bind(auditActions, {
      page: { needs: 'admin', handle: (interaction, { page }) => show(interaction, page) },
      export: { needs: 'admin', replacesOriginal: false, handle: sendFile },
    }),
  }
}
