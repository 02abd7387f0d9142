// The official JavaScript clients, one reading a line: an order comes as a JSON line, and what the client gave its caller goes back as one.

import { writeSync } from 'node:fs'
import { createInterface } from 'node:readline'

import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import Anthropic from '@anthropic-ai/sdk'
import { generateText, jsonSchema, streamText, tool } from 'ai'
import OpenAI from 'openai'

function answer(value) {
  let bytes = Buffer.from(`${JSON.stringify(value)}\n`)
  while (bytes.length) bytes = bytes.subarray(writeSync(1, bytes))
}
console.log = console.info = console.debug = console.error // What a client prints is no answer.
globalThis.AI_SDK_LOG_WARNINGS = false

const host = `http://127.0.0.1:${process.argv[2]}`
const settings = { apiKey: 'none', maxRetries: 0, timeout: 8000 }
const openai = new OpenAI({ ...settings, baseURL: `${host}/v1` })
const anthropic = new Anthropic({ ...settings, baseURL: host })
const compatible = createOpenAICompatible({ name: 'jury', baseURL: `${host}/v1`, apiKey: 'none', includeUsage: true })
const aiOpenai = createOpenAI({ baseURL: `${host}/v1`, apiKey: 'none' })
const aiAnthropic = createAnthropic({ baseURL: `${host}/v1`, apiKey: 'none' })
const messages = [{ role: 'user', content: '?' }]

async function chat(model, stream) {
  const done = []
  let completion
  if (stream) {
    const helper = openai.chat.completions.stream({ model, messages })
    helper.on('tool_calls.function.arguments.done', ({ name, arguments: text }) => done.push({ name, arguments: text }))
    completion = await helper.finalChatCompletion()
  } else {
    completion = await openai.chat.completions.create({ model, messages })
  }
  const { message, finish_reason: finish } = completion.choices[0]
  const parts = []
  const reasoning = message.reasoning_content || message.reasoning
  if (reasoning) parts.push({ type: 'reasoning', text: reasoning })
  if (message.content) parts.push({ type: 'text', text: message.content })
  for (const { id, function: called } of message.tool_calls ?? []) {
    parts.push({ type: 'call', id, name: called.name, arguments: called.arguments })
  }
  return { parts, finish, done: stream ? done : null }
}

async function responses(model, stream) {
  const response = stream
    ? await openai.responses.stream({ model, input: '?' }).finalResponse()
    : await openai.responses.create({ model, input: '?' })
  const parts = []
  for (const item of response.output) {
    if (item.type === 'reasoning') {
      parts.push({ type: 'reasoning', text: [...(item.content ?? []), ...(item.summary ?? [])].map((part) => part.text).join('') })
    } else if (item.type === 'message') {
      parts.push({ type: 'text', text: item.content.filter((part) => part.type === 'output_text').map((part) => part.text).join('') })
    } else if (item.type === 'function_call') {
      parts.push({ type: 'call', id: item.call_id, name: item.name, arguments: item.arguments, status: item.status })
    }
  }
  return { parts, finish: response.incomplete_details?.reason ?? response.status }
}

async function anthropicMessages(model, stream) {
  const request = { model, messages, max_tokens: 99 }
  const message = stream ? await anthropic.messages.stream(request).finalMessage() : await anthropic.messages.create(request)
  const parts = []
  for (const block of message.content) {
    if (block.type === 'thinking') parts.push({ type: 'reasoning', text: block.thinking })
    else if (block.type === 'text') parts.push({ type: 'text', text: block.text })
    else if (block.type === 'tool_use') parts.push({ type: 'call', id: block.id, name: block.name, input: JSON.stringify(block.input) })
  }
  return { parts, finish: message.stop_reason }
}

// The AI SDK gives a call as parsed input, and calls one invalid whose name is not in the request's tools.
async function ai(languageModel, stream, names) {
  const open = tool({ inputSchema: jsonSchema({ type: 'object', additionalProperties: true }) })
  const request = { model: languageModel, messages, maxRetries: 0, tools: Object.fromEntries(names.map((name) => [name, open])) }
  const parts = []
  const take = (part) => {
    if (part.type === 'text' || part.type === 'reasoning') {
      if (part.text) parts.push({ type: part.type, text: part.text })
    } else if (part.type === 'tool-call') {
      if (part.invalid) throw part.error ?? new Error('invalid call')
      parts.push({ type: 'call', id: part.toolCallId, name: part.toolName, input: JSON.stringify(part.input) })
    }
  }
  if (!stream) {
    const result = await generateText(request)
    result.content.forEach(take)
    return { parts, finish: result.finishReason }
  }
  let finish
  const open_ = new Map()
  for await (const part of streamText({ ...request, onError() {} }).fullStream) {
    if (part.type === 'error') throw part.error
    if (part.type === 'text-delta' || part.type === 'reasoning-delta') {
      const key = `${part.type} ${part.id}`
      if (!open_.has(key)) {
        open_.set(key, { type: part.type === 'text-delta' ? 'text' : 'reasoning', text: '' })
        parts.push(open_.get(key))
      }
      open_.get(key).text += part.text
    } else if (part.type === 'text-start' || part.type === 'reasoning-start') {
      // Providers use an id again for the next block.
      open_.delete(`${part.type.replace('start', 'delta')} ${part.id}`)
    } else if (part.type === 'finish') {
      finish = part.finishReason
    } else {
      take(part)
    }
  }
  return { parts, finish }
}

const READ = {
  'openai-node': { chat, responses },
  'anthropic-node': { anthropic: anthropicMessages },
  'ai-openai-compatible': { chat: (model, stream, names) => ai(compatible(model), stream, names) },
  'ai-openai': {
    chat: (model, stream, names) => ai(aiOpenai.chat(model), stream, names),
    responses: (model, stream, names) => ai(aiOpenai.responses(model), stream, names),
  },
  'ai-anthropic': { anthropic: (model, stream, names) => ai(aiAnthropic(model), stream, names) },
}

const shown = (error) => `${error?.name ?? typeof error}: ${error?.message ?? JSON.stringify(error)}`
let stray // An error that no promise of the client's handed over.
process.on('unhandledRejection', (error) => { stray ??= error })
process.on('uncaughtException', (error) => { stray ??= error })

for await (const line of createInterface({ input: process.stdin })) {
  const { client, surface, model, stream, names } = JSON.parse(line)
  stray = undefined
  try {
    answer(await READ[client][surface](model, stream, names))
  } catch (error) {
    answer({ error: shown(error ?? stray) })
  }
}
