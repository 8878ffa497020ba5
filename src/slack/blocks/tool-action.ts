import { z } from 'zod'
import { type Block, button, LIMITS } from './blocks.ts'
import { type LinkedPages, listPageSteps } from './paging.ts'

/** @param description for the model */
export const textArgument = (maxLength: number, description: string) =>
  z
    .string()
    .max(maxLength)
    // Slack refuses JSON with half an emoji.
    .overwrite((text) => text.toWellFormed())
    .optional()
    .describe(description)

/** Slack passes values as tool arguments: https://docs.slack.dev/ai/slackbot-mcp-client/returning-rich-responses */
export class ToolAction<Args extends object> {
  readonly tool
  readonly input

  constructor(tool: string, input: z.ZodObject & z.ZodType<Args>) {
    this.tool = tool
    this.input = input
  }

  paging(pages: LinkedPages, argsFor: (page: number) => Args): Block[] {
    const rows: Block[] = []
    for (const { label, page } of listPageSteps(pages)) {
      const value = JSON.stringify(argsFor(page))
      if (value.length > LIMITS.buttonValue) continue
      // Action ids must be unique in their block, so each button has its own block.
      rows.push({ type: 'actions', elements: [button(`tool:${this.tool}`, label, value)] })
    }
    return rows
  }
}
