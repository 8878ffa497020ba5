import { z } from 'zod'

/** What of V8's CPU profile is read. @see https://chromedevtools.github.io/devtools-protocol/tot/Profiler/#type-Profile */
export const cpuProfile = z.looseObject({
  nodes: z.array(
    z.looseObject({
      id: z.number(),
      callFrame: z.looseObject({ functionName: z.string(), url: z.string(), lineNumber: z.number() }),
    }),
  ),
  samples: z.array(z.number()),
  timeDeltas: z.array(z.number()),
})
export type CpuProfile = z.infer<typeof cpuProfile>
