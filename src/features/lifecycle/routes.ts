import { z } from 'zod'
import type { Job } from '../../jobs/jobs.ts'
import type { Services } from '../../services.ts'
import { action } from '../../slack/blocks/action.ts'
import { actionRow, dangerButton, type Message, section } from '../../slack/blocks/blocks.ts'
import { textAnswer } from '../../slack/deliver/answer.ts'
import { bind, type FeatureRoutes, type SlackEvent } from '../../slack/routing/routes.ts'
import { whereReadable } from '../../store/errors.ts'
import { installationKey } from '../../store/installations.ts'
import { type Tenant, tenantKey, tenantRecord } from '../../store/tenant.ts'

const revokedTokens = z.object({
  tokens: z.object({ bot: z.array(z.string()).default([]) }).default({ bot: [] }),
})
const revokedTeams = z.object({ team_ids: z.array(z.string().min(1)) })
/** https://docs.slack.dev/reference/events/grid_migration_finished */
const migration = z.object({ enterprise_id: z.string().min(1) })

/**
 * What was in flight as a workspace was deleted may write something for it afterwards: it is deleted again, twice. The jobs'
 * data name it as `team`, so that they aren't deleted as jobs of that tenant.
 */
const deletion = z.object({ team: tenantRecord, deletedAt: z.number() })
const deletions = { name: 'deletions', schema: deletion }

const done =
  'Everything Callboard kept about this workspace is deleted: API key and secret, settings, schedules, alerts and the audit log.'

const lifecycleActions = { forget: action('lifecycle.forget') }

/** @param isInstalled by OAuth: forgetting ends the installation too */
function confirmMessage(isInstalled: boolean): Message {
  const end = isInstalled ? ', and Callboard leaves the workspace' : ''
  const text = `Delete everything Callboard keeps about this workspace? API key and secret, settings, schedules, alerts and the audit log are gone for good${end}.`
  return {
    text,
    blocks: [
      section(text),
      ...actionRow([
        dangerButton(lifecycleActions.forget.button('Delete everything'), {
          title: 'Delete everything?',
          text: `This can't be undone. To use Callboard again, ${isInstalled ? 'install it again' : 'connect it again'}.`,
        }),
      ]),
    ],
  }
}

/**
 * The end of an installation, as Slack tells of it, and `/callboard forget`. Whatever deletes is idempotent: Slack tells of
 * an end several times, in any order.
 */
export function lifecycle({
  config,
  store,
  jobs,
  webApi,
  homeTab,
  log,
  now,
  deleteAgainAfterMs,
}: Services): FeatureRoutes {
  /** Whether the workspace has an installation of its own, readable or not. */
  const isInstalled = ({ teamId }: Pick<Tenant, 'teamId'>) =>
    store.installations.has(installationKey({ teamId }))

  async function deleteContents(team: Tenant): Promise<void> {
    await store.deleteTenant(tenantKey(team))
    await jobs.deleteOf(team)
  }

  /** What this process remembers goes with it; other processes let go of theirs within minutes. @throws {StoreError} */
  async function forgetContents(team: Tenant, againAfterMs = deleteAgainAfterMs): Promise<void> {
    await deleteContents(team)
    log.info({ audit: true, action: 'forget', tenant: tenantKey(team) }, 'audit')
    const deletedAt = now()
    for (const ms of againAfterMs)
      await jobs.enqueue(deletions, `${team.teamId}/${ms}`, { team, deletedAt }, new Date(deletedAt + ms))
  }

  /** Deletes once more, unless the workspace has come back since. */
  async function forgetAgain({ data }: Job<z.infer<typeof deletion>>): Promise<void> {
    const { team, deletedAt } = data
    if (!(await isInstalled(team)) && !(await isBackSince(team, deletedAt))) await deleteContents(team)
  }

  /** Whether it was connected, or its organisation installed the app, after that. */
  async function isBackSince(team: Tenant, at: number): Promise<boolean> {
    const { enterpriseId } = team
    const [credentials, organisation] = await Promise.all([
      whereReadable(store.credentials.get(tenantKey(team))),
      enterpriseId === undefined
        ? undefined
        : whereReadable(store.installations.get(installationKey({ enterpriseId }))),
    ])
    return Math.max(credentials?.connectedAt ?? 0, organisation?.installedAt ?? 0) > at
  }

  /** Everything of a workspace, its own installation included. @throws {StoreError} */
  async function forgetWorkspace(team: Tenant, againAfterMs = deleteAgainAfterMs): Promise<void> {
    await store.installations.delete(installationKey({ teamId: team.teamId }))
    await forgetContents(team, againAfterMs)
  }

  /** The organisation's installation, and everything of its workspaces that have none of their own. @throws {StoreError} */
  async function forgetOrganisation(enterpriseId: string): Promise<void> {
    await store.installations.delete(installationKey({ enterpriseId }))
    for (const team of await store.tenantsOf(enterpriseId))
      if (!(await isInstalled(team))) await forgetContents(team)
    // What is told to whoever installed it.
    await jobs.deleteOf({ enterpriseId, teamId: '' })
    await store.deleteTenant(tenantKey({ teamId: enterpriseId }))
    log.info({ audit: true, action: 'forget', enterprise: enterpriseId }, 'audit')
  }

  /** An event that is older than the installation is about the one before it: Slack keeps no order. */
  async function isStale(installation: Parameters<typeof installationKey>[0], at: number): Promise<boolean> {
    const record = await whereReadable(store.installations.get(installationKey(installation)))
    return record !== undefined && at + 1000 <= record.installedAt
  }

  async function end({ team, isOrganisation, at }: SlackEvent): Promise<void> {
    const { teamId } = team
    // The documented events of an end name the team alone.
    const enterpriseId =
      team.enterpriseId ?? (teamId === '' ? undefined : await store.organisationOf(tenantKey(team)))
    const hasOwn = teamId !== '' && (await isInstalled({ teamId }))
    if (isOrganisation && !hasOwn && enterpriseId !== undefined) {
      if (!(await isStale({ enterpriseId }, at))) await forgetOrganisation(enterpriseId)
    } else if (teamId !== '') {
      if (!(await isStale({ teamId }, at))) await forgetWorkspace(team)
    }
  }

  return {
    commands: [
      {
        command: 'callboard',
        word: 'forget',
        needs: 'admin',
        handle: async ({ actor }) => ({ message: confirmMessage(await isInstalled(actor.team)) }),
      },
    ],
    actions: bind(lifecycleActions, {
      forget: {
        needs: 'admin',
        async handle({ actor }) {
          const { team, installation } = actor
          const isOwn = await isInstalled(team)
          // Where the app stays, people may have settings anew within the hour.
          await forgetWorkspace(team, isOwn ? deleteAgainAfterMs : deleteAgainAfterMs.slice(0, 1))
          const { oauth } = config.slack
          if (!isOwn || !oauth) {
            homeTab.emit('outdated', actor)
            return textAnswer(done)
          }
          const { clientId: client_id, clientSecret: client_secret } = oauth
          return {
            ...textAnswer(done),
            // The app is gone here already: where Slack does not take it out, commands say that it is not installed.
            async afterwards() {
              await webApi.apps
                .uninstall({ token: installation.botToken, client_id, client_secret })
                .catch((error: unknown) => log.warn({ err: error }, 'the app was not uninstalled'))
            },
          }
        },
      },
    }),
    jobs: [{ queue: deletions, handle: forgetAgain }],
    events: [
      { event: 'app_uninstalled', handle: end },
      {
        event: 'tokens_revoked',
        async handle(revoked) {
          // Tokens of people: this app has none.
          if (revokedTokens.parse(revoked.event).tokens.bot.length > 0) await end(revoked)
        },
      },
      {
        event: 'grid_migration_finished',
        async handle({ team: { teamId }, event }) {
          // Nothing is kept of a workspace that has left.
          if (!(await isInstalled({ teamId }))) return
          await store.noteOrganisation({ teamId }, migration.parse(event).enterprise_id)
        },
      },
      {
        event: 'team_access_revoked',
        async handle({ team: { enterpriseId }, event, at }) {
          for (const teamId of revokedTeams.parse(event).team_ids) {
            const team = { enterpriseId, teamId }
            if ((await isStale({ teamId }, at)) || (await isBackSince(team, at + 1000))) continue
            // It may be given back within the hour, of which the organisation's installation says nothing.
            await forgetWorkspace(team, deleteAgainAfterMs.slice(0, 1))
          }
        },
      },
    ],
  }
}
