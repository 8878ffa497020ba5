import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { z } from 'zod'

const schema = z.object({
  features: z.object({
    slash_commands: z.array(
      z.object({ command: z.string(), description: z.string(), usage_hint: z.string().default('') }),
    ),
    shortcuts: z.array(z.object({ name: z.string(), callback_id: z.string() })).default([]),
  }),
  oauth_config: z.object({ scopes: z.object({ bot: z.array(z.string()) }) }),
  settings: z.object({
    event_subscriptions: z.object({ bot_events: z.array(z.string()).default([]) }).optional(),
  }),
})

/** Reads the manifest. The stand-in offers exactly its commands, shortcuts, scopes and events. */
export function readManifest() {
  const text = readFileSync(new URL('../manifest.yml', import.meta.url), 'utf8')
  const { features, oauth_config, settings } = schema.parse(parse(text))
  return {
    commands: features.slash_commands.map(({ command, description, usage_hint: usageHint }) => ({
      command,
      description,
      usageHint,
    })),
    /** In the menu of each message. */
    shortcuts: features.shortcuts.map(({ name, callback_id: callbackId }) => ({ name, callbackId })),
    scopes: oauth_config.scopes.bot,
    events: settings.event_subscriptions?.bot_events ?? [],
  }
}

export type Manifest = ReturnType<typeof readManifest>
