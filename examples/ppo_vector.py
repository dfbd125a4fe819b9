"""Masked PPO in one file: learns Azul against random play on the vector environment, and beats it in a minute."""

import sys
import time

import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical

from ludens.adapters.vector import LudensVectorEnv

GAMES, STEPS, EPOCHS, PARTS, CLIP, LAMBDA, ENTROPY, RATE = 256, 64, 3, 8, 0.2, 0.95, 0.01, 1e-3


class Net(nn.Module):
    def __init__(self, inputs: int, actions: int) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(inputs, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU())
        self.policy, self.value = nn.Linear(256, actions), nn.Linear(256, 1)

    def forward(self, features: torch.Tensor, mask: torch.Tensor) -> tuple[Categorical, torch.Tensor]:
        x = self.body(features)
        return Categorical(logits=self.policy(x).masked_fill(~mask, -1e9)), self.value(x)[:, 0]


def train(seconds: float, seed: int = 1) -> Net:
    torch.manual_seed(seed)
    envs = LudensVectorEnv("azul", GAMES, seat="rotate", opponents="random", autoreset_mode="SameStep")
    net = Net(envs.single_observation_space.shape[0], int(envs.single_action_space.n))
    optimizer = torch.optim.Adam(net.parameters(), RATE)
    x, mask = torch.tensor(envs.reset(seed=seed)[0]), torch.tensor(envs.action_masks())
    started = time.monotonic()
    while time.monotonic() - started < seconds:
        rows, gains, gain = [], [], torch.zeros(GAMES)
        with torch.no_grad():
            for _ in range(STEPS):
                choice, value = net(x, mask)
                action = choice.sample()
                seen, reward, ended, _, info = envs.step(action.numpy())
                outcome = torch.tensor(reward), torch.tensor(ended)
                rows.append((x, mask, action, choice.log_prob(action), value, *outcome))
                x, mask = torch.tensor(seen), torch.tensor(info["action_mask"]).bool()
            following = net(x, mask)[1]
        for _, _, _, _, value, reward, ended in reversed(rows):  # generalised advantage estimation, no discount
            gain = reward.float() + ~ended * (following + LAMBDA * gain) - value
            gains, following = [gain, *gains], value
        old_x, old_mask, old_action, old_log, old_value = map(torch.cat, list(zip(*rows, strict=True))[:5])
        advantage, target = torch.cat(gains), old_value + torch.cat(gains)
        for part in (part for _ in range(EPOCHS) for part in torch.randperm(len(old_x)).chunk(PARTS)):
            choice, value = net(old_x[part], old_mask[part])
            ratio = (choice.log_prob(old_action[part]) - old_log[part]).exp()
            a = (advantage[part] - advantage[part].mean()) / (advantage[part].std() + 1e-8)
            loss = -torch.min(ratio * a, ratio.clamp(1 - CLIP, 1 + CLIP) * a).mean() - ENTROPY * choice.entropy().mean()
            optimizer.zero_grad()
            (loss + 0.5 * (value - target[part]).square().mean()).backward()
            optimizer.step()
    return net


def win_shares(net: Net, opponents: str = "random", games: int = 1000, seed: int = 2) -> np.ndarray:
    envs = LudensVectorEnv("azul", games, seat="rotate", opponents=opponents)
    (seen, info), shares = envs.reset(seed=seed), np.full(games, np.nan)
    while np.isnan(shares).any():
        action = net(torch.tensor(seen), torch.tensor(info["action_mask"]).bool())[0].logits.argmax(1)
        seen, reward, ended, _, info = envs.step(action.numpy())
        shares = np.where(np.isnan(shares) & ended, (reward + 1) / 2, shares)
    return shares


if __name__ == "__main__":
    shares = win_shares(train(float(sys.argv[1]) if len(sys.argv) > 1 else 60))
    print(f"win share against random: {shares.mean():.1%} ± {1.96 * shares.std(ddof=1) / len(shares) ** 0.5:.1%}")
