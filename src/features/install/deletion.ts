import { z } from 'zod'
import type { OAuthConfig } from '../../config/config.ts'
import type { Job } from '../../jobs/jobs.ts'
import type { Services } from '../../services.ts'
import { action } from '../../slack/blocks/actions.ts'
import { dangerButton, type Message, textMessage } from '../../slack/blocks/blocks.ts'
import { type Answer, textAnswer } from '../../slack/deliver/answers.ts'
import type { SlackEvent } from '../../slack/inbound/events.ts'
import { bind, type FeatureRoutes, type Interaction } from '../../slack/routing/routes.ts'
import { whereReadable } from '../../store/errors.ts'
import { tenantKey, type Workspace, workspaceSchema } from '../../store/tenant.ts'
import { type InstallationRecord, installationKey } from '../../store/workspaces.ts'
import { type EpochMs, minuteMs } from '../../util/units.ts'
import { type DailyCheck, TokenChecks } from './token-checks.ts'

/** The field isn't named `workspace`, because `jobs.deleteTenantJobs` matches that, and these jobs must survive the deletion. */
const deletionSchema = z.object({ deleted: workspaceSchema, deletedAt: z.number() })
type DeletionJob = Job<z.infer<typeof deletionSchema>>
const deletions = { name: 'deletions', schema: deletionSchema }

/**
 * Deletes everything stored about a workspace, and once more a minute later to catch writes that were still in flight.
 * Idempotent: Slack reports an uninstallation several times, in any order. Every method @throws {StoreError}.
 */
class TenantDeletion {
  readonly #services

  constructor(services: Services) {
    this.#services = services
  }

  /** True even if the record is unreadable. */
  hasOwnInstallation({ teamId }: Pick<Workspace, 'teamId'>): Promise<boolean> {
    return this.#services.store.installations.has(installationKey({ teamId }))
  }

  async deleteWorkspace(workspace: Workspace): Promise<void> {
    const { store, jobs, log, now } = this.#services
    await store.installations.delete(installationKey({ teamId: workspace.teamId }))
    await this.#deleteContents(workspace)
    log.info({ audit: true, action: 'forget', tenant: tenantKey(workspace) }, 'audit')
    const deletedAt = now()
    await jobs.enqueue(
      deletions,
      workspace.teamId,
      { deleted: workspace, deletedAt },
      new Date(deletedAt + minuteMs),
    )
  }

  /**
   * Deletes an organization's installation and those of its workspaces that have no own one. @param last the event's team:
   * its record names the organization if the event is repeated after a failure
   */
  async deleteOrganization(enterpriseId: string, last?: Pick<Workspace, 'teamId'>): Promise<void> {
    const { store, jobs, log } = this.#services
    await store.installations.delete(installationKey({ enterpriseId }))
    // Notices to the person who installed it, under the organization's id.
    await jobs.deleteTenantJobs({ enterpriseId, teamId: '' })
    const isLast = ({ teamId }: Workspace) => teamId === last?.teamId
    const teams = await store.listTenants(enterpriseId)
    const lastOneLast = teams.toSorted((a, b) => Number(isLast(a)) - Number(isLast(b)))
    for (const workspace of lastOneLast)
      if (!(await this.hasOwnInstallation(workspace))) await this.deleteWorkspace(workspace)
    log.info({ audit: true, action: 'forget', enterprise: enterpriseId }, 'audit')
  }

  /** Deletes what the record's workspace or organization has stored. */
  async deleteInstallation({ teamId, enterpriseId }: InstallationRecord): Promise<void> {
    if (teamId !== undefined) await this.deleteWorkspace({ enterpriseId, teamId })
    else if (enterpriseId !== undefined) await this.deleteOrganization(enterpriseId)
  }

  /** Skips a workspace that was installed or connected again since the first deletion. */
  async repeat({ data: { deleted: workspace, deletedAt } }: DeletionJob): Promise<void> {
    const isBack =
      (await this.hasOwnInstallation(workspace)) || (await this.isBackSince(workspace, deletedAt))
    if (!isBack) await this.#deleteContents(workspace)
  }

  /** False if the record is unreadable. */
  async isInstalledSince(ids: Parameters<typeof installationKey>[0], at: EpochMs): Promise<boolean> {
    const record = await whereReadable(this.#services.store.installations.get(installationKey(ids)))
    return record !== undefined && record.installedAt > at
  }

  /** Whether the workspace's own installation came after `at`; without one, its organization's or the connected account. */
  async isBackSince({ teamId, enterpriseId }: Workspace, at: EpochMs): Promise<boolean> {
    if (await this.hasOwnInstallation({ teamId })) return this.isInstalledSince({ teamId }, at)
    if (enterpriseId !== undefined && (await this.isInstalledSince({ enterpriseId }, at))) return true
    const credentials = await whereReadable(this.#services.store.credentials.get(tenantKey({ teamId })))
    return credentials !== undefined && credentials.connectedAt > at
  }

  /** Caches of other processes expire within minutes. */
  async #deleteContents(workspace: Workspace): Promise<void> {
    const { store, jobs } = this.#services
    await store.deleteTenant(tenantKey(workspace))
    await jobs.deleteTenantJobs(workspace)
  }
}

const revokedTokensSchema = z.object({
  tokens: z.object({ bot: z.array(z.string()).default([]) }).default({ bot: [] }),
})
const revokedTeamsSchema = z.object({ team_ids: z.array(z.string().min(1)) })
/** https://docs.slack.dev/reference/events/grid_migration_finished */
const migrationSchema = z.object({ enterprise_id: z.string().min(1) })

/** Last instant of the whole second that an event carries. An installation after it makes the event stale. */
const getEventEnd = ({ at }: SlackEvent): EpochMs => at + 999

const storedText = 'the API key and secret, settings, schedules, alerts and the audit log'
const deletedText = `Done. Callboard deleted everything it stored about this workspace: ${storedText}.`

const lifecycleActions = { forget: action('lifecycle.forget') }

/** @param isInstalled by OAuth, so that deleting ends the installation too */
function confirmMessage(isInstalled: boolean): Message {
  const end = isInstalled ? ', and uninstalls Callboard' : ''
  const text = `Delete everything Callboard stores about this workspace? This deletes ${storedText} for good${end}.`
  const button = dangerButton(lifecycleActions.forget.button('Delete everything'), {
    title: 'Delete everything?',
    text: `This can't be undone. To use Callboard again, ${isInstalled ? 'install' : 'connect'} it again.`,
  })
  return textMessage(text, [button])
}

/** Deletes what Slack says has ended. Every method @throws {StoreError}. */
class InstallationEvents {
  readonly #store
  readonly #deletion

  constructor(store: Services['store'], deletion: TenantDeletion) {
    this.#store = store
    this.#deletion = deletion
  }

  async onInstallationEnd(ended: SlackEvent): Promise<void> {
    const { workspace, isOrganization } = ended
    const deletion = this.#deletion
    const hasTeam = workspace.teamId !== ''
    const enterpriseId = await this.#findOrganization(workspace)
    const hasOwn = hasTeam && (await deletion.hasOwnInstallation(workspace))
    const end = getEventEnd(ended)
    if (isOrganization && !hasOwn && enterpriseId !== undefined) {
      if (!(await deletion.isInstalledSince({ enterpriseId }, end)))
        await deletion.deleteOrganization(enterpriseId, workspace)
      return
    }
    if (hasTeam && !(await deletion.isBackSince(workspace, end))) await deletion.deleteWorkspace(workspace)
  }

  /** Slack's documented payloads of these events name only the team. */
  async #findOrganization({ enterpriseId, teamId }: Workspace): Promise<string | undefined> {
    if (enterpriseId !== undefined || teamId === '') return enterpriseId
    return this.#store.getOrganization(tenantKey({ teamId }))
  }

  async onTokensRevoked(revoked: SlackEvent): Promise<void> {
    // Tokens of people are listed apart; Callboard has none.
    const { tokens } = revokedTokensSchema.parse(revoked.event)
    if (tokens.bot.length > 0) await this.onInstallationEnd(revoked)
  }

  async onMigrationFinished({ workspace, event }: SlackEvent): Promise<void> {
    // Slack may deliver this after the workspace uninstalled the app.
    if (!(await this.#deletion.hasOwnInstallation(workspace))) return
    await this.#store.noteOrganization(workspace, migrationSchema.parse(event).enterprise_id)
  }

  async onTeamAccessRevoked(revoked: SlackEvent): Promise<void> {
    const { enterpriseId } = revoked.workspace
    for (const teamId of revokedTeamsSchema.parse(revoked.event).team_ids) {
      const workspace = { enterpriseId, teamId }
      if (!(await this.#deletion.isBackSince(workspace, getEventEnd(revoked))))
        await this.#deletion.deleteWorkspace(workspace)
    }
  }
}

async function uninstall({ webApi, log }: Services, oauth: OAuthConfig, token: string): Promise<void> {
  try {
    await webApi.apps.uninstall({ token, client_id: oauth.clientId, client_secret: oauth.clientSecret })
  } catch (error) {
    log.warn({ err: error }, 'uninstalling the app failed')
  }
}

async function forget(
  services: Services,
  deletion: TenantDeletion,
  interaction: Interaction,
): Promise<Answer> {
  const { actor, afterwards } = interaction
  const { oauth } = services.config.slack
  const isOwn = await deletion.hasOwnInstallation(actor.workspace)
  await deletion.deleteWorkspace(actor.workspace)
  // Even if Slack refuses, commands reply that Callboard isn't installed, because the records are deleted.
  if (isOwn && oauth) afterwards(() => uninstall(services, oauth, actor.installation.botToken))
  else services.homeTab.emit('outdated', actor)
  return textAnswer(deletedText)
}

export function workspaceDeletion(services: Services): FeatureRoutes {
  const { config, store } = services
  const deletion = new TenantDeletion(services)
  const checks = new TokenChecks(services, (record) => deletion.deleteInstallation(record))
  const events = new InstallationEvents(store, deletion)
  return {
    commands: [
      {
        command: 'callboard',
        word: 'forget',
        needs: 'admin',
        handle: async ({ interaction }) => ({
          message: confirmMessage(await deletion.hasOwnInstallation(interaction.actor.workspace)),
        }),
      },
    ],
    actions: bind(lifecycleActions, {
      forget: { needs: 'admin', handle: ({ interaction }) => forget(services, deletion, interaction) },
    }),
    jobs: [
      { queue: deletions, handle: (job: DeletionJob) => deletion.repeat(job) },
      { queue: checks.queue, handle: (job: Job<DailyCheck>, ending) => checks.run(job, ending) },
    ],
    background: config.slack.oauth ? [() => checks.begin()] : [],
    events: [
      { event: 'app_uninstalled', mustSucceed: true, handle: (event) => events.onInstallationEnd(event) },
      { event: 'tokens_revoked', mustSucceed: true, handle: (event) => events.onTokensRevoked(event) },
      {
        event: 'grid_migration_finished',
        mustSucceed: true,
        handle: (event) => events.onMigrationFinished(event),
      },
      {
        event: 'team_access_revoked',
        mustSucceed: true,
        handle: (event) => events.onTeamAccessRevoked(event),
      },
    ],
  }
}
