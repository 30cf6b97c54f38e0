import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { jwt, sign } from 'hono/jwt';
import { announce, answer, claims, headers, secret } from './given.mjs';

// https://hono.dev/docs/middleware/builtin/jwt

const data = JSON.parse(answer.body);
const app = new Hono();
app.use('/*', jwt({ secret, alg: 'HS256' }));
app.get('/candidate', (c) => c.json(data, 200, headers));

const token = await sign(claims, secret, 'HS256');
serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, (address) => announce(address, token));
