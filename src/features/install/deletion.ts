import { z } from 'zod'
import type { Job } from '../../jobs/jobs.ts'
import type { Services } from '../../services.ts'
import { action } from '../../slack/blocks/actions.ts'
import * as blocks from '../../slack/blocks/blocks.ts'
import { type Answer, textAnswer } from '../../slack/deliver/answers.ts'
import type { SlackEvent } from '../../slack/inbound/payloads.ts'
import * as routing from '../../slack/routing/routes.ts'
import { whereReadable } from '../../store/errors.ts'
import { tenantKey, type Workspace, workspaceSchema } from '../../store/tenant.ts'
import { type InstallationRecord, installationKey } from '../../store/workspaces.ts'
import { type EpochMs, minuteMs } from '../../util/units.ts'

// Deletes everything stored about a workspace, and once more a minute later to catch writes that were still in flight.
// Idempotent: Slack reports an uninstallation several times, in any order. Every function @throws {StoreError}.

/** The field isn't named `workspace`, because `jobs.deleteTenantJobs` matches that, and these jobs must survive the deletion. */
const deletionSchema = z.object({ deleted: workspaceSchema, deletedAt: z.number() })
type DeletionJob = Job<z.infer<typeof deletionSchema>>
const deletions = { name: 'deletions', schema: deletionSchema }

/** True even if the record is unreadable. */
const hasOwnInstallation = ({ store }: Services, { teamId }: Workspace): Promise<boolean> =>
  store.installations.has(installationKey({ teamId }))

/** True if the app was installed after `endedAt`. False if the record is unreadable. */
async function isReinstalled({ store }: Services, owner: Partial<Workspace>, endedAt: EpochMs) {
  const record = await whereReadable(store.installations.get(installationKey(owner)))
  return record !== undefined && record.installedAt > endedAt
}

/** For workspaces without their own installation: true if the organization's or the phone account is newer than `endedAt`. */
async function isReconnected(services: Services, workspace: Workspace, endedAt: EpochMs): Promise<boolean> {
  const { enterpriseId } = workspace
  if (enterpriseId !== undefined && (await isReinstalled(services, { enterpriseId }, endedAt))) return true
  const credentials = await whereReadable(services.store.credentials.get(tenantKey(workspace)))
  return credentials !== undefined && credentials.connectedAt > endedAt
}

async function isBack(services: Services, workspace: Workspace, endedAt: EpochMs): Promise<boolean> {
  const { teamId } = workspace
  if (await hasOwnInstallation(services, workspace)) return isReinstalled(services, { teamId }, endedAt)
  return isReconnected(services, workspace, endedAt)
}

/** Caches of other processes expire within minutes. */
async function deleteContents({ store, jobs }: Services, workspace: Workspace): Promise<void> {
  await store.deleteTenant(tenantKey(workspace))
  await jobs.deleteTenantJobs(workspace)
}

async function deleteWorkspace(services: Services, workspace: Workspace): Promise<void> {
  const { store, jobs, log, now } = services
  const { teamId } = workspace
  await store.installations.delete(installationKey({ teamId }))
  await deleteContents(services, workspace)
  log.info({ audit: true, action: 'forget', tenant: tenantKey(workspace) }, 'audit')
  const deletedAt = now()
  const job = { deleted: workspace, deletedAt }
  await jobs.enqueue(deletions, teamId, job, new Date(deletedAt + minuteMs))
}

/** Skips a workspace that was installed or connected again. The first deletion removed its installation, so one that exists is new. */
async function repeatDeletion(services: Services, { data }: DeletionJob): Promise<void> {
  const { deleted, deletedAt } = data
  if (await hasOwnInstallation(services, deleted)) return
  if (await isReconnected(services, deleted, deletedAt)) return
  await deleteContents(services, deleted)
}

/**
 * Deletes an organization's installation, and its workspaces except those with an installation of their own.
 * @param last workspace to delete last: its record names the organization if the event is repeated after a failure
 */
async function deleteOrganization(services: Services, enterpriseId: string, last?: Workspace): Promise<void> {
  const { store, jobs, log } = services
  await store.installations.delete(installationKey({ enterpriseId }))
  // Notices to the person who installed it, under the organization's id.
  await jobs.deleteTenantJobs({ enterpriseId, teamId: '' })
  const workspaces = await store.listWorkspaces(enterpriseId)
  const isLast = ({ teamId }: Workspace) => teamId === last?.teamId
  for (const workspace of workspaces.toSorted((a, b) => Number(isLast(a)) - Number(isLast(b))))
    if (!(await hasOwnInstallation(services, workspace))) await deleteWorkspace(services, workspace)
  log.info({ audit: true, action: 'forget', enterprise: enterpriseId }, 'audit')
}

export async function deleteInstallation(services: Services, record: InstallationRecord): Promise<void> {
  const { teamId, enterpriseId } = record
  if (teamId !== undefined) await deleteWorkspace(services, { enterpriseId, teamId })
  else if (enterpriseId !== undefined) await deleteOrganization(services, enterpriseId)
}

const revokedTokensSchema = z.object({
  tokens: z.object({ bot: z.array(z.string()).default([]) }).default({ bot: [] }),
})
const revokedTeamsSchema = z.object({ team_ids: z.array(z.string().min(1)) })

/** Latest instant of the event, which carries a whole second. An installation after it makes the event stale. */
const getLatestTime = ({ at }: SlackEvent): EpochMs => at + 999

async function deleteUnlessBack(services: Services, workspace: Workspace, ended: SlackEvent): Promise<void> {
  if (await isBack(services, workspace, getLatestTime(ended))) return
  await deleteWorkspace(services, workspace)
}

/** Returns the organization whose installation ended; undefined for a workspace's own, and for an unknown organization. */
async function findEndedOrganization(services: Services, ended: SlackEvent): Promise<string | undefined> {
  const { workspace, isOrganization } = ended
  const { teamId, enterpriseId } = workspace
  if (!isOrganization) return undefined
  if (teamId === '') return enterpriseId
  if (await hasOwnInstallation(services, workspace)) return undefined
  // Slack's documented payloads of these events name only the team.
  return enterpriseId ?? services.store.getOrganization(tenantKey(workspace))
}

async function onInstallationEnd(services: Services, ended: SlackEvent): Promise<void> {
  const { workspace } = ended
  const enterpriseId = await findEndedOrganization(services, ended)
  if (enterpriseId === undefined) {
    if (workspace.teamId !== '') await deleteUnlessBack(services, workspace, ended)
    return
  }
  if (await isReinstalled(services, { enterpriseId }, getLatestTime(ended))) return
  await deleteOrganization(services, enterpriseId, workspace)
}

async function onTokensRevoked(services: Services, revoked: SlackEvent): Promise<void> {
  // Tokens of people are listed apart; Callboard has none.
  const { tokens } = revokedTokensSchema.parse(revoked.event)
  if (tokens.bot.length > 0) await onInstallationEnd(services, revoked)
}

async function onTeamsRevoked(services: Services, revoked: SlackEvent): Promise<void> {
  const { enterpriseId } = revoked.workspace
  for (const teamId of revokedTeamsSchema.parse(revoked.event).team_ids)
    await deleteUnlessBack(services, { enterpriseId, teamId }, revoked)
}

const storedText = 'the API key and secret, settings, schedules, alerts and the audit log'

const lifecycleActions = { forget: action('lifecycle.forget') }

async function askToConfirm(services: Services, { actor }: routing.Interaction): Promise<Answer> {
  // An installation through OAuth is stored, so deleting ends it, too.
  const isInstalled = await hasOwnInstallation(services, actor.workspace)
  const end = isInstalled ? ', and uninstalls Callboard' : ''
  const text = `Delete everything Callboard stores about this workspace? This deletes ${storedText} for good${end}.`
  const button = lifecycleActions.forget.button('Delete everything', undefined, 'danger')
  const consequence = `This can't be undone. To use Callboard again, ${isInstalled ? 'install' : 'connect'} it again.`
  const confirm = blocks.confirmation('Delete everything?', consequence, 'Delete everything')
  return { message: blocks.textMessage(text, [{ ...button, confirm: { ...confirm, style: 'danger' } }]) }
}

async function uninstall({ config, webApi, log }: Services, token: string): Promise<void> {
  const { oauth } = config.slack
  if (!oauth) return
  const onFailure = (error: unknown) => log.warn({ err: error }, 'uninstalling the app failed')
  const app = { client_id: oauth.clientId, client_secret: oauth.clientSecret }
  await webApi.apps.uninstall({ token, ...app }).catch(onFailure)
}

async function forget(services: Services, { actor, afterwards }: routing.Interaction): Promise<Answer> {
  const hasOwn = await hasOwnInstallation(services, actor.workspace)
  await deleteWorkspace(services, actor.workspace)
  // Even if Slack refuses, commands reply that Callboard isn't installed, because the records are deleted.
  if (hasOwn) afterwards(() => uninstall(services, actor.installation.botToken))
  else services.homeTab.emit('outdated', actor)
  return textAnswer(`Done. Callboard deleted everything it stored about this workspace: ${storedText}.`)
}

export function workspaceDeletion(services: Services): routing.FeatureRoutes {
  return {
    commands: [
      {
        command: 'callboard',
        word: 'forget',
        needs: 'admin',
        handle: ({ interaction }) => askToConfirm(services, interaction),
      },
    ],
    actions: routing.bind(lifecycleActions, {
      forget: { needs: 'admin', handle: ({ interaction }) => forget(services, interaction) },
    }),
    jobs: [{ queue: deletions, handle: (job: DeletionJob) => repeatDeletion(services, job) }],
    events: [
      { event: 'app_uninstalled', mustSucceed: true, handle: (ended) => onInstallationEnd(services, ended) },
      { event: 'tokens_revoked', mustSucceed: true, handle: (ended) => onTokensRevoked(services, ended) },
      { event: 'team_access_revoked', mustSucceed: true, handle: (ended) => onTeamsRevoked(services, ended) },
    ],
  }
}
